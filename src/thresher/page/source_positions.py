"""Positions of a page's rows in its source, as recorded by the parser.

A page is read from canonical HTML, which does not contain them, so the source is parsed again on
demand.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import turbohtml

from thresher.deadline import watch
from thresher.page.canonical import source_tree
from thresher.page.scan import IntArray
from thresher.page.table import Table
from thresher.page.tags import TEXT
from thresher.page.xml_syntax import close_empty

__all__ = ["locate"]

_Place: TypeAlias = tuple[int, int, int, int]
"""Position of an element in the source: start and stop of its start tag, and of its end tag."""
_NOWHERE: Final = (-1, -1, -1, -1)


class _Edges(NamedTuple):
    """Tags of elements in the canonical HTML, in order; a text lies between two of them."""

    at: IntArray
    """Offset of each tag in the canonical HTML; int32[n_edge]."""
    element: npt.NDArray[np.intp]
    """Index of its element among all elements; intp[n_edge]."""
    side: npt.NDArray[np.intp]
    """0 for its start tag, 1 for its end tag; intp[n_edge]."""


def locate(page: Table, rows: IntArray | None) -> IntArray:
    """Find every row's position in the source; int32[n_row, 4] as in `Page.source_spans`.

    Costs a second parse and a walk over the elements. A text extends between the surrounding tags
    that are explicit in the source, so it spans comments and implied tags too. Attached rows have
    no position, nor have the rows of a page without a source. With ``rows``, only theirs are
    defined: reading the positions of elements costs most, and is then done only for these rows and
    their surroundings.
    """
    if not page.utf8:
        return np.full((len(page), 4), -1, np.int32)
    closed = close_empty(page.source)
    places = _Places(list(source_tree(page.source, positions=True).iter_elements()))
    spans = np.full((len(page), 4), -1, np.int64)
    own = spans[: page.n_own_row]
    tag = page.tag[: page.n_own_row]
    elements = np.flatnonzero(tag != TEXT)
    edges = _find_edges(page, elements)
    if rows is None:
        texts = np.flatnonzero(tag == TEXT)
        places.read(range(elements.size))
    else:
        rows = rows[rows < page.n_own_row]
        is_text = tag[rows] == TEXT
        texts = rows[is_text]
        places.read(np.searchsorted(elements, rows[~is_text]).tolist())
        _read_around(edges, page.open_start[texts], places)
    own[elements] = places.as_array()
    own[texts, :2] = _place_texts(page.open_start[texts], edges, own[elements], closed.html)
    spans = _undo_newlines(spans, closed.html)
    return np.where(spans < 0, spans, closed.undo(spans)).astype(np.int32)


def _find_edges(page: Table, elements: npt.NDArray[np.intp]) -> _Edges:
    at = np.concatenate((page.open_start[elements], page.close_start[elements]))
    order = np.argsort(at, kind="stable")
    side, element = np.divmod(order, elements.size)
    return _Edges(at[order], element, side)


class _Places:
    """Positions of elements, each read once, on demand."""

    def __init__(self, elements: list[turbohtml.Element]) -> None:
        self._elements = elements
        self._places: list[_Place | None] = [None] * len(elements)

    def read(self, elements: Iterable[int]) -> None:
        """Read the positions of some elements."""
        for element in watch(elements):
            self.of(element)

    def of(self, element: int) -> _Place:
        """Return the position of one element."""
        place = self._places[element]
        if place is None:
            place = self._places[element] = _place_of(self._elements[element])
        return place

    def as_array(self) -> npt.NDArray[np.int64]:
        """Return the positions; −1 for elements that are not in the source, or were not read."""
        known = {element: place for element, place in enumerate(self._places) if place}
        places = np.full((len(self._places), 4), -1, np.int64)
        places[list(known)] = np.array(list(known.values()), np.int64).reshape(-1, 4)
        return places


def _place_of(element: turbohtml.Element) -> _Place:
    found = element.source_location
    if found is None:
        return _NOWHERE
    start, end = found.start_tag, found.end_tag
    stop = (-1, -1) if end is None else (end.start_offset, end.end_offset)
    return (start.start_offset, start.end_offset, *stop)


def _read_around(edges: _Edges, text_start: IntArray, places: _Places) -> None:
    """Read the elements of the nearest edges before and after each text that are in the source."""
    pairs = list(zip(edges.element.tolist(), (2 * edges.side).tolist(), strict=True))

    def is_explicit(edge: int) -> bool:
        element, column = pairs[edge]
        return places.of(element)[column] >= 0

    for place in watch(np.searchsorted(edges.at, text_start).tolist()):
        before, after = place - 1, place
        while before >= 0 and not is_explicit(before):
            before -= 1
        while after < len(pairs) and not is_explicit(after):
            after += 1


def _place_texts(
    text_start: IntArray, edges: _Edges, of_elements: npt.NDArray[np.int64], source: str
) -> npt.NDArray[np.int64]:
    """Place texts between the nearest edges around them that are in the source; int64[n, 2]."""
    edge_from = of_elements[edges.element, 2 * edges.side]
    explicit = edge_from >= 0
    edge_from = edge_from[explicit]
    edge_to = of_elements[edges.element, 2 * edges.side + 1][explicit]
    after = np.searchsorted(edges.at[explicit], text_start)
    start = np.concatenate(([0], edge_to))[after]
    # The parser counts CR LF as one character; searching for one character is much faster.
    pairs = source.count("\r\n") if "\r" in source else 0
    stop = np.concatenate((edge_from, [len(source) - pairs]))[after]
    # Misnested markup moves content: then the next edge may come before the text.
    return np.column_stack((start, np.maximum(start, stop)))


def _undo_newlines(spans: np.ndarray, source: str) -> np.ndarray:
    """Map offsets from the parser's input, where CR LF is one character, to the source."""
    if "\r" not in source:
        return spans
    points = np.frombuffer(source.encode("utf-32-le"), "<u4")
    pairs = np.flatnonzero((points[:-1] == ord("\r")) & (points[1:] == ord("\n")))
    shifted = pairs - np.arange(pairs.size)
    return np.where(spans < 0, spans, spans + np.searchsorted(shifted, spans))
