"""Inline markup that the page's own tags cannot show: emphasis, links across blocks, languages."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.blocks import NEWLINE
from thresher.page.rows import BoolArray
from thresher.page.tags import BLOCK, CODE_OF, HEADINGS, TEXT, flags_of
from thresher.writers.fragment.slices import (
    Edges,
    RowFlag,
    find_bounds,
    format_start_tag,
    put_start_tags,
)
from thresher.writers.outline.outline import Outline
from thresher.writers.outline.pieces import Pieces, Rank
from thresher.writers.outline.runs import find_places
from thresher.writers.outline.structure import LISTS, ONE_LINE
from thresher.writers.outline.styles import EMPHASIS, SCRIPTS, find_plain

_A, _SPAN = CODE_OF["a"], CODE_OF["span"]

# -- emphasis ----------------------------------------------------------------------------------

_MEANING: Final = EMPHASIS | SCRIPTS


class _Mark(NamedTuple):
    """Positions in the buffer that an element of a name is put at."""

    row: int
    name: str
    start: int
    stop: int


def find_emphasis(
    outline: Outline, row_flags: npt.NDArray[np.uint8]
) -> tuple[list[_Mark], npt.NDArray[np.intp]]:
    """Find what is emphasised by style, or by an element that holds several paragraphs.

    Nothing is in preformatted text and in rows with `RowFlag.UNMARKED`, uint8[n_row]; nothing bold
    in headings. Returns the elements to be put around texts, outer ones first, and the rows of
    those that are no emphasis, or are in some that says the same.
    """
    page, styled = outline.page, outline.styled
    plain = find_plain(page, outline.holds, outline.kept)
    tags = page.tag[outline.crossing.nonzero()[0]]
    names = [
        name
        for name in _MEANING
        if name in styled or (name in EMPHASIS and EMPHASIS[name][tags].any())
    ]
    marks: list[_Mark] = []
    unmarked = list(plain.values())
    if names:
        ignored = (row_flags & RowFlag.UNMARKED != 0) | page.within(outline.preformatted)
    for name in names:
        own = outline.holds & _MEANING[name][page.tag]
        own[plain.get(name, [])] = False
        apart = own & outline.crossing
        apart[styled.get(name, [])] = True
        unmarked.append((own & page.below(apart)).nonzero()[0])
        apart &= ~page.below(own | apart) & ~ignored & ~(own & ~outline.crossing)
        parted = apart & (outline.crossing | BLOCK.take(page.tag))
        runs = ~outline.run_preformatted
        if name == "b":
            apart &= ~page.below(outline.structure & HEADINGS[outline.tag])
            runs &= ~HEADINGS[outline.run_tag]
        marks += (
            _Mark(row, name, int(page.open_stop[row]), int(page.close_start[row]))
            for row in (apart & ~parted).nonzero()[0].tolist()
        )
        if name in EMPHASIS:
            marks += _mark_runs(outline, name, parted.nonzero()[0], runs)
    return sorted(marks), np.concatenate([*unmarked, np.empty(0, np.intp)])


def _mark_runs(
    outline: Outline, name: str, rows: npt.NDArray[np.intp], wanted: BoolArray
) -> list[_Mark]:
    """Return a mark for each part of a run, of those wanted, that is in one of some elements."""
    page, runs = outline.page, outline.runs
    begins, stops = find_places(page, outline.kept, rows)
    parts = [
        (row, max(begin, int(runs.start[run])), min(stop, int(runs.start[run + 1])) - 1)
        for row, begin, stop in zip(rows.tolist(), begins.tolist(), stops.tolist(), strict=True)
        for run in range(int(runs.of_leaf[begin]), int(runs.of_leaf[stop - 1]) + 1)
        if wanted[run]
    ]
    if not parts:
        return []
    part_rows, first, last = np.array(parts).T
    leaves = page.leaves[outline.kept]
    bounds = find_bounds(outline, leaves[first], leaves[last])
    placed = zip(part_rows.tolist(), bounds.opens.tolist(), bounds.closes.tolist(), strict=True)
    return [_Mark(row, name, start, stop) for row, start, stop in placed]


def write_emphasis(marks: Sequence[_Mark], pieces: Pieces) -> None:
    """Write the elements that are put around texts."""
    if not marks:
        return  # as on most pages
    starts = np.array([mark.start for mark in marks], np.int32)
    pieces.put_each(starts, Rank.OPEN_EMPHASIS, [f"<{mark.name}>".encode() for mark in marks])
    inner_first = marks[::-1]
    stops = np.array([mark.stop for mark in inner_first], np.int32)
    pieces.put_each(
        stops, Rank.CLOSE_EMPHASIS, [f"</{mark.name}>".encode() for mark in inner_first]
    )


# -- links that cross paragraphs ---------------------------------------------------------------


def write_crossing_links(
    outline: Outline,
    pieces: Pieces,
    edges: Edges,
    row_flags: npt.NDArray[np.uint8],
    tags: Mapping[int, str],
) -> None:
    """Put each link that crosses paragraphs into one of them.

    ``row_flags`` is the `RowFlag` of each row, uint8[n_row]; ``tags`` holds the start tags that
    differ from the page's, by row.
    """
    page = outline.page
    rows = outline.crossing.nonzero()[0]
    rows = rows[(page.tag[rows] == _A) & (row_flags[rows] & RowFlag.UNLINKED == 0)]
    if not rows.size:
        return
    rows, target = _pick_runs(outline, rows)
    put_start_tags(page, pieces, rows, edges.opens[target], Rank.OPEN_LINK, tags)
    places = edges.closes[target]
    pieces.move(places, Rank.CLOSE_LINK, page.close_start[rows], page.close_stop[rows])


def _pick_runs(
    outline: Outline, links: npt.NDArray[np.intp]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Choose the run each link goes to: the first heading in it, otherwise the first with words.

    Of links that choose the same run the innermost gets it.
    """
    page, runs = outline.page, outline.runs
    begins, stops = find_places(page, outline.kept, links)
    first, last = runs.of_leaf[begins], runs.of_leaf[stops - 1]
    worded = runs.sums(page.leaf_words[outline.kept]) > 0
    target = first
    for wanted in (worded & ~outline.run_preformatted, HEADINGS[outline.run_tag]):
        choices = np.append(np.flatnonzero(wanted), len(runs))
        choice = choices[np.searchsorted(choices, first)]
        target = np.where(choice <= last, choice, target)
    chosen_by = np.full(len(runs), -1)
    chosen_by[target] = np.arange(links.size)
    taken = np.flatnonzero(chosen_by >= 0)
    return links[chosen_by[taken]], taken


# -- links in pieces ---------------------------------------------------------------------------

_LINKS: Final = flags_of("a")
_ALIKE: Final = ("class", "href", "title")
"""Attributes that the pieces of a link have in common; a name and a handle differ in the class."""
_ALONE: Final = RowFlag.ELSEWHERE | RowFlag.LINKED | RowFlag.UNLINKED | RowFlag.UNMARKED


def flag_link_pieces(outline: Outline, row_flags: npt.NDArray[np.uint8]) -> None:
    """Flag links, next to each other in a text, that are written as one, in place.

    Editors cut links so. ``row_flags`` is the `RowFlag` of each row, uint8[n_row].
    """
    page, of_run = outline.page, outline.runs.of_leaf
    rows = page.rows_of(_LINKS)
    rows = rows[outline.holds.take(rows)]
    # At most a space is between them.
    between = rows[1:] - page.end.take(rows[:-1])
    near = ((between == 0) | (between == 1)).nonzero()[0]
    if not near.size:
        return  # as on most pages
    pairs = np.stack((rows.take(near), rows.take(near + 1)), axis=1)
    is_free = ~outline.crossing & (row_flags & _ALONE == 0)
    pairs = pairs[is_free.take(pairs).all(axis=1)]
    place = find_places(page, outline.kept, pairs[:, 1])[0]
    is_next = find_places(page, outline.kept, pairs[:, 0])[1] == place
    pairs, place = pairs[is_next], place[is_next]
    is_text = page.tag.take(page.leaves.take(outline.kept)) == TEXT
    is_next = is_text.take(place - 1) & is_text.take(place)
    is_next &= of_run.take(place - 1) == of_run.take(place)
    is_next &= outline.gaps.take(place) != NEWLINE
    for before, after in pairs[is_next].tolist():
        if len({tuple(map(page.attrs(row).get, _ALIKE)) for row in (before, after)}) == 1:
            row_flags[before] |= int(RowFlag.UNCLOSED)
            row_flags[after] |= int(RowFlag.UNOPENED)


# -- languages and directions ------------------------------------------------------------------
#
# Elements that are written unchanged keep their `lang` and `dir`. Where the page sets them on an
# element that is not written, a layout `div` or `span`, one is written just for them.

_NO_DIV_INSIDE: Final = LISTS | ONE_LINE | flags_of("dl p table tbody tfoot thead tr")
"""Structure that cannot have a `div` as a child."""
_NAMES: Final = ("lang", "dir")
_LEVELS_UP: Final = 64
"""Ancestors searched for an inherited value; beyond them it is set again."""


def set_languages(outline: Outline, pieces: Pieces) -> dict[int, str]:
    """Put a `div` around each block that sets a language or direction its ancestors do not.

    Returns the start tags of the spans that do.
    """
    page = outline.page
    settings = _find_settings(outline)
    if not settings:
        return {}
    container = page.nearest(outline.structure)
    first = list(outline.continued.values())
    gaps = _Gaps(first, page.end[first].tolist(), list(outline.continued))
    spans: dict[int, str] = {}
    for row, attrs in settings.items():
        above = int(container[page.parent[row]])
        if page.tag[row] == _SPAN:
            if not outline.crossing[row]:
                spans[row] = format_start_tag("span", attrs)
        elif (
            BLOCK[page.tag[row]]
            and not (above >= 0 and _NO_DIV_INSIDE[outline.tag[above]])
            and not gaps.are_cut_by(row, int(page.end[row]))
        ):
            place = page.open_start[[row]]
            pieces.put(place, Rank.SLICE, format_start_tag("div", attrs).encode())
            pieces.put(page.close_start[[row]], Rank.SLICE, b"</div>")
    return spans


class _Gaps(NamedTuple):
    """The rows between lists that are written as one; these do not overlap."""

    first: list[int]
    """The list before each."""
    start: list[int]
    stop: list[int]
    """The list behind it."""

    def are_cut_by(self, row: int, end: int) -> bool:
        """Return whether an element begins or ends in one, holding one of the two lists."""
        begun, ended = (bisect_right(self.start, place) - 1 for place in (row, end))
        return (begun >= 0 and row <= self.stop[begun]) or (
            ended >= 0 and end <= self.stop[ended] and row < self.first[ended]
        )


def _find_settings(outline: Outline) -> dict[int, dict[str, str]]:
    """Return row → attributes for rows that are not written and set a new value."""
    page = outline.page
    first, last = int(outline.first_row[0]), int(outline.last_row[-1])
    settings: dict[int, dict[str, str]] = {}
    for name in _NAMES:
        rows = page.attributes.rows_named(name)
        inside = outline.holds[rows] & ~outline.structure[rows]
        inside &= (rows > first) | (page.end[rows] <= last)
        if not inside.any():
            continue
        values = page.attributes.values(name)
        for row in rows[inside].tolist():
            if values[row].strip().lower() != _inherited(page, values, row):
                settings.setdefault(row, {})[name] = values[row]
    return dict(sorted(settings.items()))


def _inherited(page: Page, values: dict[int, str], row: int) -> str:
    """Return the value a row would have without its own setting, "" for none."""
    for _ in range(_LEVELS_UP):
        row = int(page.parent[row])
        if row < 0:
            break
        if row in values:
            return values[row].strip().lower()
    return ""
