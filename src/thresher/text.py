"""The text of a page: one string, and for every row where it starts, its words and characters.

Words are counted without a language: a run of letters and digits, with the marks on them, is one
word, and in scripts written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) each
letter is one.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from html import unescape
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.scan import IntArray

__all__ = ["count_at", "count_words", "join_text", "unescape_bytes"]

_AMP: Final = ord("&")
_CONTINUATION_MASK, _CONTINUATION = 0xC0, 0x80

_OTHER, _SPACE, _WORD, _IDEOGRAPH, _MARK, _JOINER = range(6)
_INVISIBLE_SPACES: Final = "\u200b\u2060\ufeff"
"""Characters that show nothing, alone or between words: zero-width space, word joiner, BOM."""
_JOINERS: Final = "\u00ad\u034f\u061c\u200c\u200d\u200e\u200f"
"""Characters that show nothing and end no word: soft hyphen, grapheme joiner, zero-width
(non-)joiner, marks of writing direction."""
_UNSPACED_SCRIPTS: Final = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # CJK and Kangxi radicals
    (0x3005, 0x3007),
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),  # CJK unified ideographs
    (0xA9E0, 0xA9FF),
    (0xAA60, 0xAA7F),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),  # half-width Katakana
)
"""Unicode 15 blocks (first, last) whose scripts put no space between words."""
_BMP_CHARS: Final = 0x10000
_ASTRAL_SYMBOLS, _ASTRAL_IDEOGRAPHS, _ASTRAL_TAGS = 0x1F000, 0x20000, 0xE0000


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
    points = np.frombuffer(text.encode("utf-32-le"), "<u4")
    kind = _kinds()[np.minimum(points, _BMP_CHARS)]
    if points.size and points.max() >= _BMP_CHARS:
        astral = points >= _BMP_CHARS
        kind[astral & (points < _ASTRAL_SYMBOLS)] = _WORD
        kind[(points >= _ASTRAL_IDEOGRAPHS) & (points < _ASTRAL_TAGS)] = _IDEOGRAPH
    firsts = offsets[offsets < points.size]
    shows = (kind != _SPACE) & (kind != _JOINER)
    in_word = kind == _WORD
    attached = kind >= _MARK
    if attached.any():
        # What is put on a letter belongs to its word; on anything else it is no word.
        attached[firsts] = False
        carrier = np.where(attached, 0, np.arange(points.size))
        in_word = in_word[np.maximum.accumulate(carrier)]
    begins = in_word.copy()
    begins[1:] &= ~in_word[:-1]
    begins[firsts] = in_word[firsts]
    begins |= kind == _IDEOGRAPH
    return count_at(begins, offsets), count_at(shows, offsets)


def count_at(flags: npt.NDArray[np.bool_], offsets: npt.NDArray[np.signedinteger]) -> IntArray:
    """Return how many flags are set before each offset."""
    sums = np.zeros(flags.size + 1, np.int32)
    np.cumsum(flags, out=sums[1:])
    return sums.take(offsets)


@cache
def _kinds() -> npt.NDArray[np.uint8]:
    """Return the kind of each character of the basic plane, and last `_OTHER` for all others."""
    kinds = np.full(_BMP_CHARS + 1, _OTHER, np.uint8)
    points = np.arange(_BMP_CHARS, dtype="<u4")
    text = points.tobytes().decode("utf-32-le", "surrogatepass")
    for found in re.finditer(r"\w+", text):
        kinds[found.start() : found.end()] = _WORD
    for found in re.finditer(r"\s+", text):
        kinds[found.start() : found.end()] = _SPACE
    for point in np.flatnonzero(kinds[:-1] == _OTHER).tolist():
        if unicodedata.category(text[point]).startswith("M"):
            kinds[point] = _MARK
    for first, last in _UNSPACED_SCRIPTS:
        block = kinds[first : last + 1]
        block[block == _WORD] = _IDEOGRAPH
    kinds[[ord(c) for c in _INVISIBLE_SPACES]] = _SPACE
    kinds[[ord(c) for c in _JOINERS]] = _JOINER
    kinds.setflags(write=False)
    return kinds
