"""Positions of a page's rows in its source.

Those of elements were recorded by the parse (`thresher.page.source_tags`); a text lies between two
tags.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from thresher.deadline import check_deadline, watch
from thresher.native import Steps, kernel_with
from thresher.page.scan import IntArray
from thresher.page.source_tags import SourceTags
from thresher.page.table import Table
from thresher.page.tags import TEXT

_Source = TypeVar("_Source", str, bytes)
_Rows = npt.NDArray[np.integer]

_CHUNK_BYTES: Final = 512
"""Bytes of the source that the step counts at once: SOURCE_CHUNK in native/core.h."""


class _Edges(NamedTuple):
    """The tags that are in the source, in the order of the canonical HTML."""

    at: IntArray
    """Offset of each tag in the canonical HTML; int32[n_edge]."""
    start: IntArray
    """Where it starts in the source; int32[n_edge]."""
    stop: IntArray
    """Where it ends there; int32[n_edge]."""


def locate(page: Table) -> IntArray:
    """Find every row's position in the source; int32[n_row, 4] as in `Page.source_spans`.

    A text extends between the surrounding tags that are explicit in the source, so it spans
    comments and implied tags too. Attached rows have no position, nor have the rows of a page
    without a source.
    """
    if not page.utf8 or page.source_tags is None:
        return _nowhere(page)
    return _locate(page, page.source_tags.places, len(page.source))


def locate_ends(page: Table, rows: _Rows, last: _Rows) -> IntArray | None:
    """Do the same for the starts of some rows and the ends of others; int32[2, n], −1 for none.

    None if the parse did not record the source's UTF-8. Here only these ends are counted in
    characters, which takes longer than finding them.
    """
    tags = page.source_tags
    if not page.utf8 or tags is None or tags.utf8_places is None:
        return None
    return _locate_ends(page, tags, tags.utf8_places, rows, last)


def _locate_ends_by_step(  # noqa: PLR0917
    steps: Steps, page: Table, tags: SourceTags, places: IntArray, rows: _Rows, last: _Rows
) -> IntArray | None:
    return steps.locate_ends(
        page.utf8,
        page.tag,
        page.parent,
        page.end,
        page.open_start,
        page.close_start,
        places,
        rows,
        last,
        TEXT,
        page.n_own_row,
        len(page.utf8) // _CHUNK_BYTES + 1,
    )


@kernel_with(_locate_ends_by_step)
def _locate_ends(
    page: Table, tags: SourceTags, places: IntArray, rows: _Rows, last: _Rows
) -> IntArray:
    """Do so, given the offsets of tags in the source's UTF-8."""
    spans = _locate(page, places, len(page.utf8))
    return tags.in_characters(find_ends(spans, page.end, rows, last))


def find_ends(spans: IntArray, end: IntArray, rows: _Rows, last: _Rows | None) -> IntArray:
    """Return the starts of some rows and the ends of others, or the same; int32[2, n].

    ``spans`` are positions as `locate` returns them. The starts are −1 where either has none.
    """
    starts, stops = _find_ends(spans, end, rows)
    if last is not None:
        other_starts, other_stops = _find_ends(spans, end, last)
        stops = np.maximum(stops, other_stops)
        starts = np.where(other_starts < 0, other_starts, starts)
    return np.stack((starts, stops))


def _find_ends(spans: IntArray, end: IntArray, rows: _Rows) -> tuple[IntArray, IntArray]:
    """Find where the source of rows starts and stops; int32[n] each, −1 without."""
    row_spans = spans[rows]
    starts, stops = row_spans[:, 0], np.where(row_spans[:, 3] < 0, row_spans[:, 1], row_spans[:, 3])
    # An element whose end tag is omitted ends with its last descendant.
    is_open = (row_spans[:, 3] < 0) & (end[rows] > rows + 1)
    for place in watch(np.flatnonzero(is_open).tolist()):
        row = rows[place]
        stops[place] = spans[row : end[row]].max()
    return starts, stops


def locate_tags(page: Table) -> IntArray:
    """Find the positions of elements only, at less cost; int32[n_row, 4], −1 for texts."""
    spans = _nowhere(page)
    if page.utf8 and page.source_tags is not None:
        elements = np.flatnonzero(page.tag[: page.n_own_row] != TEXT)
        spans[elements] = page.source_tags.places
    return spans


def _nowhere(page: Table) -> IntArray:
    return np.full((len(page), 4), -1, np.int32)


def _locate(page: Table, places: IntArray, n_source: int) -> IntArray:
    """Find the positions of all rows, given those of elements, in the same unit."""
    spans = _nowhere(page)
    is_text = page.tag[: page.n_own_row] == TEXT
    elements, texts = np.flatnonzero(~is_text), np.flatnonzero(is_text)
    spans[elements] = places
    check_deadline()
    edges = _find_edges(page, elements, places)
    check_deadline()
    spans[texts, :2] = _place_texts(page.open_start[texts], edges, n_source)
    return spans


def _find_edges(page: Table, elements: npt.NDArray[np.intp], places: IntArray) -> _Edges:
    has_start, has_end = (np.flatnonzero(places[:, column] >= 0) for column in (0, 2))
    opened, closed = elements[has_start], elements[has_end]
    at = np.concatenate((page.open_start[opened], page.close_start[closed]))
    start = np.concatenate((places[has_start, 0], places[has_end, 2]))
    stop = np.concatenate((places[has_start, 1], places[has_end, 3]))
    order = np.argsort(at, kind="stable")
    return _Edges(at[order], start[order], stop[order])


def _place_texts(text_start: IntArray, edges: _Edges, n_source: int) -> IntArray:
    """Place texts between the nearest edges around them; int32[n_text, 2]."""
    after = np.searchsorted(edges.at, text_start)
    start = np.concatenate(([0], edges.stop))[after]
    stop = np.concatenate((edges.start, [n_source]))[after]
    # Misnested markup moves content: then the next edge may come before the text.
    return np.column_stack((start, np.maximum(start, stop))).astype(np.int32)


def read_raw_utf8(page: Table, row: int) -> bytes:
    """Read the content of an element whose text is not in the canonical HTML; empty if unknown."""
    if page.source_tags is None or row >= page.n_own_row:
        return b""
    element = page.elements_before[row]
    places = page.source_tags.utf8_places
    if places is not None:
        return _cut_content(page.utf8, places[element], b"/>")
    return _cut_content(page.source, page.source_tags.places[element], "/>").encode()


def _cut_content(source: _Source, place: IntArray, closing: _Source) -> _Source:
    """Cut out what is between two tags; to the end if the second is missing."""
    _, start, stop, _ = place.tolist()
    if stop < 0 and source.startswith(closing, start - len(closing)):
        return source[:0]  # closes itself, in a drawing
    return source[start : stop if stop >= 0 else None]
