"""Positions of a page's rows in its source.

Those of elements were recorded by the parse (`thresher.page.source_tags`); a text lies between two
tags.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from thresher.page.scan import IntArray
from thresher.page.table import Table
from thresher.page.tags import TEXT

__all__ = ["locate", "locate_tags", "read_raw_text"]

_Source = TypeVar("_Source", str, bytes)


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
    spans = locate_tags(page)
    if not page.utf8 or page.source_tags is None:
        return spans
    own = spans[: page.n_own_row]
    is_text = page.tag[: page.n_own_row] == TEXT
    elements, texts = np.flatnonzero(~is_text), np.flatnonzero(is_text)
    edges = _find_edges(page, elements, own[elements])
    own[texts, :2] = _place_texts(page.open_start[texts], edges, len(page.source))
    return spans


def locate_tags(page: Table) -> IntArray:
    """Find the positions of elements only, at less cost; int32[n_row, 4], −1 for texts."""
    spans = np.full((len(page), 4), -1, np.int32)
    if page.utf8 and page.source_tags is not None:
        elements = np.flatnonzero(page.tag[: page.n_own_row] != TEXT)
        spans[elements] = page.source_tags.places
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


def read_raw_text(page: Table, row: int) -> str:
    """Read the content of an element whose text is not in the canonical HTML; empty if unknown."""
    if page.source_tags is None or row >= page.n_own_row:
        return ""
    element = np.count_nonzero(page.tag[:row] != TEXT)
    places = page.source_tags.utf8_places
    if places is not None:
        text = _cut_content(page.utf8, places[element], b"/>").decode()
    else:
        text = _cut_content(page.source, page.source_tags.places[element], "/>")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def _cut_content(source: _Source, place: IntArray, closing: _Source) -> _Source:
    """Cut out what is between two tags; to the end if the second is missing."""
    _, start, stop, _ = place.tolist()
    if stop < 0 and source.startswith(closing, start - len(closing)):
        return source[:0]  # closes itself, in a drawing
    return source[start : stop if stop >= 0 else None]
