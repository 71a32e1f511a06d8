"""What kinds of characters a block's text is made of, and the hashes of its words."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features.hashing import Hashes, hash_runs
from thresher.page import Page
from thresher.scan import IntArray
from thresher.tags import TEXT

__all__ = ["Characters", "Kind", "read_characters"]

_Places = npt.NDArray[np.intp]


class Kind(IntEnum):
    """Kinds of characters, by Unicode category; no script or language is named."""

    SPACE = 0
    LETTER = 1
    """Letters without case, lower-case letters, and marks."""
    UPPER = 2
    UNSPACED = 3
    """Letters of scripts that hold a word each: ideographs, kana, Thai."""
    DIGIT = 4
    TERMINATOR = 5
    """What ends a sentence."""
    COMMA = 6
    """What divides a sentence: commas, semicolons, colons."""
    QUOTE = 7
    SEPARATOR = 8
    """What divides the items of a menu: bars, bullets, arrows, slashes."""
    MONEY = 9
    OTHER = 10


_N_KIND: Final = len(Kind)
_MARKS: Final = {
    Kind.TERMINATOR: ".!?。！？．؟۔।॥…‼⁇⁈⁉｡",
    Kind.COMMA: ",;:，；：、،؛﹐﹑",
    Kind.QUOTE: "\"'«»“”„‟‘’‚‛‹›「」『』《》〈〉",
    Kind.SEPARATOR: "|/\\•·●○▪■◦‣›»→←▸▶►▼▾˅∙＞>｜／~+*=_",
}
"""Marks, whatever their category; the last kind to name one has it."""
_CATEGORIES: Final = {
    Kind.SPACE: "Zs Zl Zp Cc Cf",
    Kind.LETTER: "Ll Lm Lo Mn Mc Me",
    Kind.UPPER: "Lu Lt",
    Kind.DIGIT: "Nd Nl No",
    Kind.MONEY: "Sc",
    Kind.OTHER: "Pc Pd Ps Pe Pi Pf Po Sm Sk So Cs Co Cn",
}
"""Unicode's general categories by the kind they are."""
_UNSPACED: Final = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x3040, 0x30FF), (0x3400, 0x9FFF))
"""Unicode blocks (first, last) whose letters hold a word each: Thai, Lao, kana, ideographs.

Fewer than those of `thresher.text`: what a trained model has seen stays as it was.
"""
_ALIKE: Final = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xD800, 0xF8FF))
"""Ranges (first, last) of one kind: ideographs, Hangul, and what is no character."""
_BMP_CHARS: Final = 0x10000
_END: Final = "\0"
"""A space behind the text, so that every character has a next one."""


@dataclass(frozen=True, slots=True)
class Characters:
    """The text of a page, character by character, and whose it is."""

    counts: npt.NDArray[np.int64]
    """How many of each `Kind` from UPPER on a block has; int64[n_block, n_kind]."""
    first: npt.NDArray[np.uint8]
    """Kind of the first character that shows; uint8[n_block], SPACE where there is none."""
    last: npt.NDArray[np.uint8]
    word_hash: Hashes
    """Hash of every word of the page's text, unrendered ones too; uint64[n_word]."""
    word_start: _Places
    """Where in the page's text each word begins; intp[n_word]."""
    word_block: IntArray
    """The block each word stands in, n_block where in none; int32[n_word]."""


def read_characters(page: Page) -> Characters:
    """Count the characters of each block by kind, and hash the words of the page."""
    n_block = len(page.blocks)
    points = np.frombuffer((page.text + _END).encode("utf-32-le"), "<u4")
    kind = _kinds().take(points, mode="clip")
    texts = np.flatnonzero(page.tag == TEXT)
    start = page.text_offset.take(texts)
    block_of_row = np.full(len(page), n_block, np.int32)
    block_of_row[page.leaves] = page.blocks.of_leaf
    block = block_of_row.take(texts)

    told = np.flatnonzero(kind >= Kind.UPPER)
    cell = _owners(told, start, block) * _N_KIND + kind.take(told)
    counts = np.bincount(cell, minlength=(n_block + 1) * _N_KIND).reshape(-1, _N_KIND)
    word_start, word_stop = _find_words(kind, start)
    return Characters(
        counts[:n_block],
        *_read_edges(page, kind),
        hash_runs(_fold(points), word_start, word_stop),
        word_start,
        _owners(word_start, start, block),
    )


def _owners(places: _Places, start: IntArray, owner: IntArray) -> IntArray:
    """Say for each of some places in order whose text it is in; texts begin at ``start``."""
    edges = np.append(places.searchsorted(start), places.size)
    return owner.repeat(edges[1:] - edges[:-1])


def _read_edges(
    page: Page, kind: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return the kinds of the first and the last character of each block that shows."""
    start = page.text_offset[page.block_leaf]
    stop = page.text_offset[page.leaves[page.blocks.start[1:] - 1] + 1]
    shows = kind != Kind.SPACE
    first, last = start.copy(), stop - 1
    # Where an edge is a space, what shows begins behind it, or ends before it.
    begins = np.flatnonzero(shows[1:] > shows[:-1]) + 1
    blank = np.flatnonzero(~shows[first])
    first[blank] = np.append(begins, kind.size - 1)[begins.searchsorted(first[blank])]
    ends = np.flatnonzero(shows[:-1] > shows[1:])
    blank = np.flatnonzero(~shows[last])
    last[blank] = np.append(-1, ends)[ends.searchsorted(last[blank])]
    return kind[first] * (first < stop), kind[last] * (last >= start)


def _find_words(kind: npt.NDArray[np.uint8], start: IntArray) -> tuple[_Places, _Places]:
    """Find each word: letters and digits in a row, or one letter of an unspaced script.

    Returns where words start and stop. No word spans two texts, which begin at ``start``.
    """
    alone = kind == Kind.UNSPACED
    inside = (kind >= Kind.LETTER) & (kind <= Kind.DIGIT)
    begins = inside.copy()
    begins[1:] &= ~inside[:-1] | alone[1:] | alone[:-1]
    begins[start] = inside[start]
    # A word stops where the next character is in none, or begins one.
    stops = inside[:-1] & (begins[1:] == inside[1:])
    return np.flatnonzero(begins), np.flatnonzero(stops) + 1


def _fold(points: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """Fold characters into bytes, ASCII capitals into small letters."""
    symbols = (points ^ (points >> np.uint32(8))).astype(np.uint8)
    is_upper = points - np.uint32(ord("A")) < np.uint32(26)
    return symbols | is_upper.view(np.uint8) << np.uint8(5)


@cache
def _kinds() -> npt.NDArray[np.uint8]:
    """Return the kind of each character of the basic plane, the last also that of all beyond."""
    kind_of = {name: kind for kind, names in _CATEGORIES.items() for name in names.split()}
    each = np.ones(_BMP_CHARS, np.bool_)
    for first, last in _ALIKE:
        each[first + 1 : last + 1] = False
    points = np.flatnonzero(each)
    text = points.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    kinds = np.empty(_BMP_CHARS, np.uint8)
    told = bytes(kind_of[category] for category in map(unicodedata.category, text))
    kinds[points] = np.frombuffer(told, np.uint8)
    for first, last in _ALIKE:
        kinds[first + 1 : last + 1] = kinds[first]
    for first, last in _UNSPACED:
        block = kinds[first : last + 1]
        block[block == Kind.LETTER] = Kind.UNSPACED
    for kind, marks in _MARKS.items():
        kinds[[ord(mark) for mark in marks]] = kind
    kinds.setflags(write=False)
    return kinds
