"""The text of a page as one string, with offsets and counts of words and characters for every row.

Counting words does not depend on the language: a run of letters and digits, with their combining
marks, is one word, and in scripts written without spaces (Chinese, Japanese, Thai, Lao, Khmer,
Burmese) each letter is one.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with
from thresher.page.characters import Codes, WordPart, classify, code_table, parts_of
from thresher.page.scan import IntArray
from thresher.page.tags import TEXT

ESCAPES: Final = {
    "&quot;": '"',
    "&#x27;": "'",
    "&lt;": "<",
    "&gt;": ">",
    "&nbsp;": "\xa0",
    "&amp;": "&",
}
"""Reference → character: those of canonical HTML (HTML Living Standard, 13.3), and the one that
`html.escape` writes besides. `&` is last, so that nothing is unescaped twice."""
_AMP: Final = ord("&")
_QUOTES: Final = ("&quot;", "&#x27;")
"""References of attributes alone."""
_ESCAPES: Final = {
    reference.encode(): character.encode()
    for reference, character in ESCAPES.items()
    if reference not in _QUOTES
}
"""The references of texts in canonical HTML."""
_SHORTENED: Final = np.zeros(256, np.int32)
"""Bytes saved by unescaping, by the first letter of the escape's name."""
_SHORTENED[[escape[1] for escape in _ESCAPES]] = [
    len(escape) - len(character) for escape, character in _ESCAPES.items()
]
_CONTINUATION_MASK, _CONTINUATION = 0xC0, 0x80


def unescape(text: str) -> str:
    """Replace the character references of canonical HTML, or of markup made with `html.escape`."""
    if "&" in text:
        for reference, character in ESCAPES.items():
            text = text.replace(reference, character)
    return text


class PageText(NamedTuple):
    """All text of a page, unescaped; offsets and counts are int32[n_row + 1], before each row."""

    utf8: npt.NDArray[np.uint8]
    offset: IntArray
    """In characters: the text of row i is ``o[i]:o[i + 1]``."""
    words: IntArray
    chars: IntArray
    """Characters that are not white space."""


def _read_texts_by_step(
    steps: Steps, buffer: bytes, tag: npt.NDArray[np.int16], start: IntArray, stop: IntArray
) -> PageText | None:
    rows = (buffer, tag, start, stop, TEXT)
    n_byte = steps.measure_texts(*rows)
    read = None if n_byte is None else steps.read_texts(*rows, code_table(), n_byte)
    if read is None:
        return None
    joined, counts = read
    return PageText(joined, *counts)


@kernel_with(_read_texts_by_step)
def read_texts(
    buffer: bytes, tag: npt.NDArray[np.int16], start: IntArray, stop: IntArray
) -> PageText:
    """Read the texts of canonical HTML: the spans ``start:stop`` of rows tagged as text."""
    # Elements have no text of their own.
    text, offset = join_text(buffer, start, np.where(tag == TEXT, stop, start))
    counts = count_coded_words(classify(text), offset)
    return PageText(np.frombuffer(text.encode(), np.uint8), offset, *counts)


def join_text(buffer: bytes, start: IntArray, stop: IntArray) -> tuple[str, IntArray]:
    """Join the texts at ``start:stop`` of canonical HTML, unescaped.

    Returns the string and int32[n + 1] offsets in characters: text i is ``string[o[i]:o[i + 1]]``.
    """
    sizes = stop - start
    offsets = np.zeros(start.size + 1, np.int32)
    sizes.cumsum(out=offsets[1:])
    # All bytes in one look-up: all bytes of a text are shifted by the same distance.
    places = np.arange(offsets[-1], dtype=np.int32)
    places += (start - offsets[:-1]).repeat(sizes)
    joined = np.frombuffer(buffer, np.uint8).take(places).tobytes()
    if _AMP in joined:
        raw = np.frombuffer(joined, np.uint8)
        escapes = (raw == _AMP).nonzero()[0]
        # The letter after the & identifies the escape, and so how much shorter the text becomes.
        shorter = np.zeros(escapes.size + 1, np.int32)
        _SHORTENED.take(raw.take(escapes + 1)).cumsum(out=shorter[1:])
        offsets -= shorter.take(escapes.searchsorted(offsets))
        joined = unescape_bytes(joined)
    if not joined.isascii():
        is_first = np.frombuffer(joined, np.uint8) & _CONTINUATION_MASK != _CONTINUATION
        offsets = count_at(is_first, offsets)
    return joined.decode(), offsets


def unescape_bytes(text: bytes) -> bytes:
    """Unescape a text of canonical HTML."""
    if _AMP in text:
        for escape, character in _ESCAPES.items():
            text = text.replace(escape, character)
    return text


def count_words(text: str, offsets: IntArray) -> tuple[IntArray, IntArray]:
    """Count words and characters that are not white space, as sums up to each offset.

    Returns int32 arrays of the shape of ``offsets``; a word never spans two texts.
    """
    return count_coded_words(classify(text), offsets)


def _count_words_by_step(
    steps: Steps, codes: Codes, offsets: IntArray
) -> tuple[IntArray, IntArray] | None:
    return steps.count_words(codes, offsets)


@kernel_with(_count_words_by_step)
def count_coded_words(codes: Codes, offsets: IntArray) -> tuple[IntArray, IntArray]:
    """Count as `count_words` does, given the codes of a text's characters."""
    part = parts_of(codes)
    firsts = offsets[offsets < part.size]
    shows = (part != WordPart.SPACE) & (part != WordPart.JOINER)
    in_word = part == WordPart.WORD
    attached = part >= WordPart.MARK
    if attached.any():
        # A combining mark belongs to the word of its letter; on anything else it is not a word.
        attached[firsts] = False
        carrier = np.where(attached, 0, np.arange(part.size))
        in_word = in_word[np.maximum.accumulate(carrier)]
    begins = in_word.copy()
    begins[1:] &= ~in_word[:-1]
    begins[firsts] = in_word[firsts]
    begins |= part == WordPart.IDEOGRAPH
    return count_at(begins, offsets), count_at(shows, offsets)


def count_at(flags: npt.NDArray[np.bool_], offsets: npt.NDArray[np.signedinteger]) -> IntArray:
    """Return how many flags are set before each offset."""
    sums = np.zeros(flags.size + 1, np.int32)
    np.cumsum(flags, out=sums[1:])
    return sums.take(offsets)
