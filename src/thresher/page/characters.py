"""Classification of characters by one table over Unicode.

The 16-bit code of a character has three fields: its kind, its part in words, and a one-byte symbol
for comparisons, the same for upper- and lower-case ASCII letters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with

Codes = npt.NDArray[np.uint16]
Bytes = npt.NDArray[np.uint8]


class WordPart:
    """Roles of characters in words."""

    OTHER: Final = 0
    SPACE: Final = 1
    WORD: Final = 2
    """Letters and digits: a run of them is one word."""
    IDEOGRAPH: Final = 3
    """Letters of scripts without spaces between words: each counts as a word."""
    MARK: Final = 4
    """Combining marks, which belong to the word of their letter."""
    JOINER: Final = 5
    """Invisible characters that do not end a word."""


class CharacterKind:
    """Kinds of characters, by Unicode category, independent of language.

    Plain integers, which numpy compares with bytes as bytes; an IntEnum would make it widen them.
    """

    SPACE: Final = 0
    LETTER: Final = 1
    """Letters without case, lower-case letters, and marks."""
    UPPER: Final = 2
    UNSPACED: Final = 3
    """Letters of scripts without spaces between words: ideographs, kana, Thai."""
    DIGIT: Final = 4
    TERMINATOR: Final = 5
    """Marks that end a sentence."""
    COMMA: Final = 6
    """Marks that divide a sentence: commas, semicolons, colons."""
    QUOTE: Final = 7
    SEPARATOR: Final = 8
    """Marks that separate the items of a menu: bars, bullets, arrows, slashes."""
    MONEY: Final = 9
    OTHER: Final = 10


_CATEGORIES: Final = {
    CharacterKind.SPACE: "Zs Zl Zp Cc Cf",
    CharacterKind.LETTER: "Ll Lm Lo Mn Mc Me",
    CharacterKind.UPPER: "Lu Lt",
    CharacterKind.DIGIT: "Nd Nl No",
    CharacterKind.MONEY: "Sc",
    CharacterKind.OTHER: "Pc Pd Ps Pe Pi Pf Po Sm Sk So Cs Co Cn",
}
"""Unicode general categories of each kind."""
_NAMES: Final = tuple(" ".join(_CATEGORIES.values()).split())
_SIGNS: Final = {
    CharacterKind.TERMINATOR: ".!?。！？．؟۔।॥…‼⁇⁈⁉｡",
    CharacterKind.COMMA: ",;:，；：、،؛﹐﹑",
    CharacterKind.QUOTE: "\"'«»“”„‟‘’‚‛‹›「」『』《》〈〉",
    CharacterKind.SEPARATOR: "|/\\•·●○▪■◦‣›»→←▸▶►▼▾˅∙＞>｜／~+*=_",
}
"""Characters of a kind regardless of their category; the last entry for a character wins."""
_UNSPACED: Final = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x3040, 0x30FF), (0x3400, 0x9FFF))
"""Ranges (first, last) whose letters are unspaced: Thai, Lao, Burmese, kana, ideographs.

Fewer than `_UNSPACED_SCRIPTS`: the shipped model was trained on these.
"""
_ALIKE: Final = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xD800, 0xF8FF))
"""Ranges (first, last) of one category: ideographs, Hangul, surrogates and private use."""

_INVISIBLE_SPACES: Final = "\u200b\u2060\ufeff"
"""Invisible characters that count as spaces: zero-width space, word joiner, BOM."""
_JOINERS: Final = "\u00ad\u034f\u061c\u200c\u200d\u200e\u200f"
"""Invisible characters that do not end a word: soft hyphen, grapheme joiner, zero-width
(non-)joiner, directional marks."""
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
"""Unicode 15 blocks (first, last) of scripts without spaces between words."""

_BMP_CHARS: Final = 0x10000
_ASTRAL_SYMBOLS, _ASTRAL_IDEOGRAPHS, _ASTRAL_TAGS = 0x1F000, 0x20000, 0xE0000
_KIND_BIT, _PART_BIT = np.uint16(12), np.uint16(8)
_PART_MASK: Final = np.uint16(0xF)


def classify(text: str) -> Codes:
    """Return the code of each character; all beyond the basic plane have the kind OTHER."""
    return classify_utf8(text.encode(), len(text))


def _classify_by_step(steps: Steps, utf8: bytes | memoryview, n_char: int) -> Codes | None:
    return steps.classify(utf8, code_table(), n_char)


@kernel_with(_classify_by_step)
def classify_utf8(utf8: bytes | memoryview, n_char: int) -> Codes:
    """Return the codes of a UTF-8 text of ``n_char`` characters, as `classify` does."""
    points = np.frombuffer(str(utf8, "utf-8").encode("utf-32-le"), "<u4")
    codes = code_table().take(points, mode="clip")
    if points.size and points.max() >= _BMP_CHARS:
        astral = points >= _BMP_CHARS
        word = astral & (points < _ASTRAL_SYMBOLS)
        ideograph = (points >= _ASTRAL_IDEOGRAPHS) & (points < _ASTRAL_TAGS)
        codes[word] |= np.uint16(WordPart.WORD) << _PART_BIT
        codes[ideograph] |= np.uint16(WordPart.IDEOGRAPH) << _PART_BIT
    return codes


def kinds_of(codes: Codes) -> Bytes:
    """Return the `CharacterKind` of each character."""
    return (codes >> _KIND_BIT).astype(np.uint8)


def parts_of(codes: Codes) -> Bytes:
    """Return the `WordPart` of each character."""
    return (codes >> _PART_BIT & _PART_MASK).astype(np.uint8)


def symbols_of(codes: Codes) -> Bytes:
    """Return the symbol of each character of the basic plane."""
    return codes.astype(np.uint8)


@cache
def code_table() -> Codes:
    """Return the code of each character of the basic plane, and last that of all others."""
    points = np.arange(_BMP_CHARS, dtype=np.uint16)
    text = points.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    categories = _find_categories(text)
    codes = np.empty(_BMP_CHARS + 1, np.uint16)
    codes[:-1] = _fold(points)
    codes[:-1] |= _find_parts(text, categories).astype(np.uint16) << _PART_BIT
    codes[:-1] |= _find_kinds(categories).astype(np.uint16) << _KIND_BIT
    codes[-1] = np.uint16(CharacterKind.OTHER) << _KIND_BIT
    codes.setflags(write=False)
    return codes


def _fold(points: Codes) -> Bytes:
    """Fold characters into bytes, ASCII capitals into small letters."""
    is_upper = points - np.uint16(ord("A")) < np.uint16(26)
    symbols = (points ^ (points >> np.uint16(8))).astype(np.uint8)
    return symbols | is_upper.view(np.uint8) << np.uint8(5)


def _find_categories(text: str) -> Bytes:
    """Return the category of each character of the basic plane, as a place in `_NAMES`."""
    number_of = {name: number for number, name in enumerate(_NAMES)}
    categories = np.empty(_BMP_CHARS, np.uint8)
    start = 0
    for first, last in (*_ALIKE, (_BMP_CHARS, _BMP_CHARS)):
        # A range of one category has that of its first character.
        names = map(unicodedata.category, text[start : first + 1])
        places = np.array(bytearray(map(number_of.__getitem__, names)))
        categories[start : start + places.size] = places
        categories[first : last + 1] = places[-1]
        start = last + 1
    return categories


def _find_kinds(categories: Bytes) -> Bytes:
    """Return the `CharacterKind` of each character of the basic plane."""
    kind_of = [kind for kind, names in _CATEGORIES.items() for _ in names.split()]
    kinds = np.array(kind_of, np.uint8).take(categories)
    for first, last in _UNSPACED:
        block = kinds[first : last + 1]
        block[block == CharacterKind.LETTER] = CharacterKind.UNSPACED
    for kind, signs in _SIGNS.items():
        kinds[[ord(sign) for sign in signs]] = kind
    return kinds


def _find_parts(text: str, categories: Bytes) -> Bytes:
    """Return the `WordPart` of each character of the basic plane, ``text``."""
    part_of = [WordPart.MARK if name.startswith("M") else WordPart.OTHER for name in _NAMES]
    parts = np.array(part_of, np.uint8).take(categories)
    for pattern, part in ((r"\w+", WordPart.WORD), (r"\s+", WordPart.SPACE)):
        for match in re.finditer(pattern, text):
            parts[match.start() : match.end()] = part
    for first, last in _UNSPACED_SCRIPTS:
        block = parts[first : last + 1]
        block[block == WordPart.WORD] = WordPart.IDEOGRAPH
    parts[[ord(character) for character in _INVISIBLE_SPACES]] = WordPart.SPACE
    parts[[ord(character) for character in _JOINERS]] = WordPart.JOINER
    return parts
