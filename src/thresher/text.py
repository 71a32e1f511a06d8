"""The text of a page: one string, and for every row where it starts, its words and characters.

Words are counted without a language: a run of letters and digits, with the marks on them, is one
word, and in scripts written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) each
letter is one.
"""

from __future__ import annotations

from html import unescape
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.characters import Codes, Part, classify, parts_of
from thresher.scan import IntArray

__all__ = ["count_at", "count_coded_words", "count_words", "join_text", "unescape_bytes"]

_AMP: Final = ord("&")
_CONTINUATION_MASK, _CONTINUATION = 0xC0, 0x80


def join_text(buffer: bytes, start: IntArray, stop: IntArray) -> tuple[str, IntArray]:
    """Join the texts at ``start:stop`` of canonical HTML, unescaped.

    Returns the string and int32[n + 1] offsets in characters: text i is ``string[o[i]:o[i + 1]]``.
    """
    pieces = [buffer[a:b] for a, b in zip(start.tolist(), stop.tolist(), strict=True)]
    joined = b"".join(pieces)
    sizes = stop - start
    if _AMP in joined:
        escaped = np.flatnonzero(np.frombuffer(joined, np.uint8) == _AMP)
        ends = np.cumsum(sizes)
        for i in np.unique(np.searchsorted(ends, escaped, side="right")).tolist():
            pieces[i] = unescape_bytes(pieces[i])
            sizes[i] = len(pieces[i])
        joined = b"".join(pieces)
    offsets = np.zeros(sizes.size + 1, np.int32)
    np.cumsum(sizes, out=offsets[1:])
    if not joined.isascii():
        is_first = np.frombuffer(joined, np.uint8) & _CONTINUATION_MASK != _CONTINUATION
        offsets = count_at(is_first, offsets)
    return joined.decode(), offsets


def unescape_bytes(text: bytes) -> bytes:
    """Undo the escapes of canonical HTML."""
    return unescape(text.decode()).encode() if b"&" in text else text


def count_words(text: str, offsets: IntArray) -> tuple[IntArray, IntArray]:
    """Count words and characters that are not white space, as sums up to each offset.

    Returns int32 arrays of the shape of ``offsets``; a word never spans two texts.
    """
    return count_coded_words(classify(text), offsets)


def count_coded_words(codes: Codes, offsets: IntArray) -> tuple[IntArray, IntArray]:
    """Count as `count_words` does, by the codes of a text's characters."""
    part = parts_of(codes)
    firsts = offsets[offsets < part.size]
    shows = (part != Part.SPACE) & (part != Part.JOINER)
    in_word = part == Part.WORD
    attached = part >= Part.MARK
    if attached.any():
        # What is put on a letter belongs to its word; on anything else it is no word.
        attached[firsts] = False
        carrier = np.where(attached, 0, np.arange(part.size))
        in_word = in_word[np.maximum.accumulate(carrier)]
    begins = in_word.copy()
    begins[1:] &= ~in_word[:-1]
    begins[firsts] = in_word[firsts]
    begins |= part == Part.IDEOGRAPH
    return count_at(begins, offsets), count_at(shows, offsets)


def count_at(flags: npt.NDArray[np.bool_], offsets: npt.NDArray[np.signedinteger]) -> IntArray:
    """Return how many flags are set before each offset."""
    sums = np.zeros(flags.size + 1, np.int32)
    np.cumsum(flags, out=sums[1:])
    return sums.take(offsets)
