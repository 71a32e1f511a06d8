"""Emphasis that the page's own tags cannot show: by style, and across the edges of paragraphs."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.page.rows import BoolArray
from thresher.page.tags import TEXT
from thresher.writers.fragment.slices import find_bounds
from thresher.writers.outline.headings import HEADINGS
from thresher.writers.outline.outline import Outline, runs_in_preformatted
from thresher.writers.outline.pieces import Pieces, Rank
from thresher.writers.outline.styles import EMPHASIS, SCRIPTS, find_plain

__all__ = ["Emphasis", "find_emphasis", "write_emphasis"]

_MEANING: Final = EMPHASIS | SCRIPTS


class _Mark(NamedTuple):
    """Positions in the buffer that an element of a name is put at."""

    row: int
    name: str
    start: int
    stop: int


class Emphasis(NamedTuple):
    """What a page emphasises by other means than the tags that are written."""

    marks: list[_Mark]
    """Elements that are put around texts, outer ones first."""
    unmarked: npt.NDArray[np.intp]
    """Rows of elements that are no emphasis, or are in some that says the same."""


def find_emphasis(outline: Outline, ignored: BoolArray) -> Emphasis:
    """Find what is emphasised by style, or by an element that holds several paragraphs.

    Nothing is in preformatted text and in ``ignored`` rows, bool[n_row]; nothing bold in headings.
    """
    page, styled = outline.page, outline.styled
    plain = find_plain(page, outline.holds)
    tags = page.tag[outline.crossing]
    names = [name for name in _MEANING if name in styled or EMPHASIS.get(name, _NEVER)[tags].any()]
    marks: list[_Mark] = []
    unmarked = list(plain.values())
    if names:
        ignored = ignored | page.within(outline.preformatted)
    for name in names:
        own = outline.holds & _MEANING[name][page.tag]
        own[plain.get(name, [])] = False
        apart = own & outline.crossing
        apart[styled.get(name, [])] = True
        unmarked.append((own & page.below(apart)).nonzero()[0])
        apart &= ~page.below(own | apart) & ~ignored & ~(own & ~outline.crossing)
        runs = ~runs_in_preformatted(outline)
        if name == "b":
            apart &= ~page.below(outline.structure & HEADINGS[outline.tag])
            around = np.where(outline.container >= 0, outline.tag[outline.container], TEXT)
            runs &= ~HEADINGS[around]
        marks += (
            _Mark(row, name, int(page.open_stop[row]), int(page.close_start[row]))
            for row in (apart & ~outline.crossing).nonzero()[0].tolist()
        )
        if name in EMPHASIS:
            marks += _mark_runs(outline, name, (apart & outline.crossing).nonzero()[0], runs)
    return Emphasis(sorted(marks), np.concatenate(unmarked) if unmarked else np.empty(0, np.intp))


_NEVER: Final = np.zeros_like(HEADINGS)


def _mark_runs(
    outline: Outline, name: str, rows: npt.NDArray[np.intp], wanted: BoolArray
) -> list[_Mark]:
    """Return a mark for each part of a run, of those wanted, that is in one of some elements."""
    page, runs = outline.page, outline.runs
    begins = np.searchsorted(outline.kept, page.leaf_offset[rows])
    stops = np.searchsorted(outline.kept, page.leaf_offset[page.end[rows]])
    parts = [
        (row, max(begin, int(runs.start[run])), min(stop, int(runs.start[run + 1])) - 1)
        for row, begin, stop in zip(rows.tolist(), begins.tolist(), stops.tolist(), strict=True)
        for run in range(int(runs.of_leaf[begin]), int(runs.of_leaf[stop - 1]) + 1)
        if wanted[run]
    ]
    if not parts:
        return []
    each, first, last = np.array(parts).T
    leaves = page.leaves[outline.kept]
    bounds = find_bounds(outline, leaves[first], leaves[last])
    placed = zip(each.tolist(), bounds.opens.tolist(), bounds.closes.tolist(), strict=True)
    return [_Mark(row, name, start, stop) for row, start, stop in placed]


def write_emphasis(emphasis: Emphasis, pieces: Pieces) -> None:
    """Write the elements that are put around texts."""
    marks = emphasis.marks
    for rank, sign, inside_out in (
        (Rank.OPEN_EMPHASIS, "<", marks),
        (Rank.CLOSE_EMPHASIS, "</", marks[::-1]),
    ):
        places = [mark.start if sign == "<" else mark.stop for mark in inside_out]
        tags = [f"{sign}{mark.name}>".encode() for mark in inside_out]
        pieces.put_each(np.array(places, np.int32), rank, tags)
