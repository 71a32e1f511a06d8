"""Where each row of a page is in its source, by the positions that the parser notes.

A page is read off canonical HTML, which says nothing of them, so the source is parsed once more
when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import turbohtml

from thresher.canonical import source_tree
from thresher.deadline import watch
from thresher.scan import IntArray
from thresher.table import Table
from thresher.tags import TEXT

__all__ = ["locate"]

_Place: TypeAlias = tuple[int, int, int, int]
"""Where the tags of an element are in the source: start tag from, to; end tag from, to."""
_NOWHERE: Final = (-1, -1, -1, -1)


def locate(page: Table, rows: IntArray | None) -> IntArray:
    """Find every row's place in the source; int32[n_row, 4] as in `Page.source_spans`.

    Costs a second parse and a walk over the elements. A text is what lies between the tags around
    it that the source spells out, so it spans comments and implied tags too. Attached rows have no
    place. Given ``rows``, only theirs count: what it takes most to find, the places of elements, is
    then found for these and around these alone.
    """
    places = _Places(list(source_tree(page.source, positions=True).iter_elements()))
    spans = np.full((len(page), 4), -1, np.int64)
    own = spans[: page.n_own_row]
    tag = page.tag[: page.n_own_row]
    elements = np.flatnonzero(tag != TEXT)
    if rows is None:
        places.read(range(elements.size))
    else:
        rows = rows[rows < page.n_own_row]
        places.read(np.searchsorted(elements, rows[tag[rows] != TEXT]).tolist())
        _read_around(page, elements, rows[tag[rows] == TEXT], places)
    own[elements] = places.as_array()
    _place_texts(page, tag, own)
    return _undo_newlines(spans, page.source).astype(np.int32)


class _Places:
    """The places of elements, each read once, when it is asked for."""

    def __init__(self, elements: list[turbohtml.Element]) -> None:
        self._elements = elements
        self._places: list[_Place | None] = [None] * len(elements)

    def read(self, elements: Iterable[int]) -> None:
        """Read the places of some elements."""
        for element in watch(elements):
            self.of(element)

    def of(self, element: int) -> _Place:
        """Return the place of one element."""
        place = self._places[element]
        if place is None:
            place = self._places[element] = _place_of(self._elements[element])
        return place

    def as_array(self) -> npt.NDArray[np.int64]:
        """Return the places; −1 for what is not in the source, or was not read."""
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


def _read_around(
    page: Table, elements: npt.NDArray[np.intp], texts: IntArray, places: _Places
) -> None:
    """Read the elements of the nearest edges before and after each text that have a place."""
    edge_at = np.concatenate((page.open_start[elements], page.close_start[elements]))
    order = np.argsort(edge_at, kind="stable")
    closes, element_of = np.divmod(order, elements.size)
    edges = list(zip(element_of.tolist(), (2 * closes).tolist(), strict=True))

    def is_spelled(edge: int) -> bool:
        element, column = edges[edge]
        return places.of(element)[column] >= 0

    for place in watch(np.searchsorted(edge_at[order], page.open_start[texts]).tolist()):
        before, after = place - 1, place
        while before >= 0 and not is_spelled(before):
            before -= 1
        while after < len(edges) and not is_spelled(after):
            after += 1


def _place_texts(
    page: Table,
    tag: npt.NDArray[np.int16],
    spans: np.ndarray[tuple[int, int], np.dtype[np.int64]],
) -> None:
    """Put each text between the nearest edges before and after it that have a place."""
    texts = np.flatnonzero(tag == TEXT)
    elements = np.flatnonzero(tag != TEXT)
    edge_at = np.concatenate((page.open_start[elements], page.close_start[elements]))
    edge_from = np.concatenate((spans[elements, 0], spans[elements, 2]))
    edge_to = np.concatenate((spans[elements, 1], spans[elements, 3]))
    spelled = edge_from >= 0
    order = np.argsort(edge_at[spelled], kind="stable")
    edge_at, edge_from, edge_to = (x[spelled][order] for x in (edge_at, edge_from, edge_to))
    after = np.searchsorted(edge_at, page.open_start[texts])
    start = np.concatenate(([0], edge_to))[after]
    # The parser counts CR LF as one; one character is looked for much faster than two.
    pairs = page.source.count("\r\n") if "\r" in page.source else 0
    source_stop = len(page.source) - pairs
    stop = np.concatenate((edge_from, [source_stop]))[after]
    spans[texts, 0] = start
    # Misnested markup moves content about: then the next edge may come before the text.
    spans[texts, 1] = np.maximum(start, stop)


def _undo_newlines(spans: np.ndarray, source: str) -> np.ndarray:
    """Map offsets from the parser's input, where CR LF is one character, to the source."""
    if "\r" not in source:
        return spans
    points = np.frombuffer(source.encode("utf-32-le"), "<u4")
    pairs = np.flatnonzero((points[:-1] == ord("\r")) & (points[1:] == ord("\n")))
    shifted = pairs - np.arange(pairs.size)
    return np.where(spans < 0, spans, spans + np.searchsorted(shifted, spans))
