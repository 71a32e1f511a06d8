"""Leaves, the smallest visible units of a page, and the gaps between them.

A leaf is a text with more than white space, or a replaced element. Parts of a drawing or formula
and elements that are never rendered are not leaves. This is the numpy definition;
`thresher.page.blocks` tries a compiled step first.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.page.rows import BoolArray, flag_below, flag_within
from thresher.page.scan import IntArray
from thresher.page.tags import (
    ATOMIC,
    BLOCK,
    CODE_OF,
    FORMATTING,
    REPLACED,
    TEXT,
    UNRENDERED,
    flags_of,
)

GapMarks = npt.NDArray[np.uint8]
"""`GapMark` flags of the gap before each leaf and after the last one; uint8[n_leaf + 1]."""

_BR: Final = CODE_OF["br"]
_ZERO_WIDTH: Final = re.compile(
    rb"(?:\xc2\xad|\xe2\x80[\x8b-\x8d]|\xe2\x81\xa0|\xef\xbb\xbf)+(?![^<])"
)
"""A text of soft hyphens, and of spaces and joiners without a width, which parts no words."""
CLOSING: Final = np.isin(np.arange(256), list(b",.;:!?)]}%"))
"""First bytes of a text that continues the preceding one: no space is inserted before it."""
KINDS: Final = sum(
    (
        flags * np.uint8(kind)
        for flags, kind in (
            (REPLACED, 1),
            (ATOMIC, 2),
            (UNRENDERED, 4),
            (BLOCK, 8),
            (flags_of("br"), 16),
            (FORMATTING & ~BLOCK, 32),
        )
    ),
    start=np.zeros(len(BLOCK), np.uint8),
)
"""Bit flags of each tag code for finding leaves; for native/page/leaves.c."""
MATH: Final = CODE_OF["math"]


class GapMark:
    """Flags for what lies between two leaves."""

    EDGE: Final = 1
    """The edge of a block: of a block-level element, a rule, or the second of two line breaks."""
    BROKEN: Final = 2
    """A line break."""
    WHITE: Final = 4
    """A white-space text."""
    OPENED: Final = 8
    """The start of a non-formatting inline element whose text does not continue the sentence."""
    CLOSED: Final = 16
    """The end of such an element."""


class Leaves(NamedTuple):
    """The leaves of a page, and the rows that cannot be leaves."""

    concealed: BoolArray
    """Flags rows that are not shown in their lines (`find_concealed`); bool[n_row]."""
    leafless: BoolArray
    """Flags rows that cannot be leaves, those included; bool[n_row]."""
    before: IntArray
    """Leaves before each row; int32[n_row + 1]."""
    rows: IntArray
    """The rows of the leaves; int32[n_leaf]."""


def find_leaves(
    tag: npt.NDArray[np.int16], end: IntArray, chars_before: IntArray, concealed: BoolArray
) -> Leaves:
    """Find the leaves of a page, given the visible characters before each row."""
    leafless = flag_below(ATOMIC[tag], end) | flag_within(UNRENDERED[tag], end) | concealed
    shows = np.diff(chars_before) > 0
    shows |= REPLACED[tag]
    shows &= ~leafless
    before = np.zeros(tag.size + 1, np.int32)
    np.cumsum(shows, out=before[1:])
    return Leaves(concealed, leafless, before, np.flatnonzero(shows).astype(np.int32))


class Measures(NamedTuple):
    """Sizes of each leaf; int32[n_leaf] each."""

    stop: IntArray
    """One past the last row of a leaf's text: the leaf itself, or a formula's whole subtree."""
    words: IntArray
    chars: IntArray
    """Characters that are not white space."""
    link_words: IntArray
    """Words that are inside a link."""


def measure_leaves(  # noqa: PLR0917
    tag: npt.NDArray[np.int16],
    end: IntArray,
    words_before: IntArray,
    chars_before: IntArray,
    in_link: BoolArray,
    rows: IntArray,
) -> Measures:
    """Measure leaves, given the counts before each row and the rows inside links."""
    stop = np.where(tag[rows] == MATH, end[rows], rows + 1).astype(np.int32)
    words = words_before[stop] - words_before[rows]
    chars = chars_before[stop] - chars_before[rows]
    return Measures(stop, words, chars, words * in_link[rows])


def mark_gaps(  # noqa: PLR0917
    buffer: bytes,
    tag: npt.NDArray[np.int16],
    end: IntArray,
    open_start: IntArray,
    chars_before: IntArray,
    leaves: Leaves,
) -> GapMarks:
    """Mark the gap before each leaf and after the last one; uint8[n_leaf + 1]."""
    concealed, leafless, before, rows = leaves
    marks = np.zeros(rows.size + 1, np.uint8)
    level = np.flatnonzero(BLOCK[tag] & ~leafless)
    marks[before[level]] |= GapMark.EDGE
    marks[before[end[level]]] |= GapMark.EDGE
    breaks = before[np.flatnonzero((tag == _BR) & ~concealed)]
    marks[breaks] |= GapMark.BROKEN
    marks[breaks[1:][breaks[1:] == breaks[:-1]]] |= GapMark.EDGE
    white = np.flatnonzero((tag == TEXT) & (np.diff(chars_before) == 0) & ~concealed)
    is_space = [not _ZERO_WIDTH.match(buffer, start) for start in open_start[white].tolist()]
    marks[before[white[np.array(is_space, np.bool_)]]] |= GapMark.WHITE
    inline = ~BLOCK[tag] & ~FORMATTING[tag] & (tag != TEXT) & (tag != _BR)
    inline = np.flatnonzero(inline & ~leafless)
    marks[before[end[inline]]] |= GapMark.CLOSED
    opened = before[inline]
    opened = opened[opened < rows.size]
    marks[opened[~continue_text(buffer, open_start[rows[opened]])]] |= GapMark.OPENED
    return marks


def continue_text(buffer: bytes, start: IntArray) -> BoolArray:
    """Flag leaves, by their starts in the buffer, that continue a sentence, as a comma does."""
    return CLOSING[np.frombuffer(buffer, np.uint8)[start]]
