"""Positions of elements' tags in the source of a page, as recorded while it was parsed.

The compiled step gives them as an array, the parser in its tree, which is kept until somebody asks
for them. So nothing is parsed for them again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page.scan import IntArray

if TYPE_CHECKING:
    import turbohtml

_NOWHERE: Final = (-1, -1, -1, -1)
_FIRST_START: Final = -0x40
"""Smallest signed byte of UTF-8 that begins a character; those below continue one."""


class SourceTags:
    """Positions of the tags of a page's elements, in document order."""

    def __init__(
        self,
        utf8: bytes,
        found: IntArray | turbohtml.Document,
        *,
        is_closed: bool,
        order: IntArray | None = None,
    ) -> None:
        """Take what the parse of a source found: offsets in UTF-8, or a tree with locations.

        The offsets are those in the result of `close_empty` if ``is_closed``, as a tree's are.
        """
        self.order: IntArray | None = order
        """Which element of the source each is, −1 for none; None if they are all in order."""
        self._utf8 = utf8
        self._is_closed = is_closed
        self._found: IntArray | turbohtml.Document | None = found
        self._places: IntArray | None = None

    @property
    def places(self) -> IntArray:
        """Start and stop of each start tag and of each end tag, in characters; int32[n_element, 4].

        −1 for tags that are not in the source, and for the end tags of elements whose start tag is
        not.
        """
        found, places = self._found, self._places  # in this order, as another thread may read
        if places is None:
            assert found is not None
            places = self._places = self._read(found)
            if not isinstance(found, np.ndarray):
                self._found = None  # frees the tree
        return places

    def reordered(self, order: IntArray) -> SourceTags:
        """Return those of a page that shows the elements in another order."""
        assert self._found is not None, "the tree was freed"
        return SourceTags(self._utf8, self._found, is_closed=self._is_closed, order=order)

    def _arrange(self, places: IntArray) -> IntArray:
        if self.order is None:
            return places
        return np.where(self.order[:, None] < 0, np.int32(-1), places[self.order])

    @property
    def utf8_places(self) -> IntArray | None:
        """The same as offsets in the source's UTF-8, which cost no counting; None if unknown."""
        parsed = self._found
        if isinstance(parsed, np.ndarray) and not self._is_closed:
            return self._arrange(parsed)
        return None

    def in_characters(self, utf8_offsets: IntArray) -> IntArray:
        """Map offsets in the source's UTF-8 to characters; −1 stays."""
        return _count_characters(utf8_offsets, self._utf8).astype(np.int32)

    def _read(self, found: IntArray | turbohtml.Document) -> IntArray:
        # Most outputs need no places in the source.
        from thresher.page.xml_syntax import Closed, close_empty

        source = self._utf8.decode()
        closed = close_empty(source) if self._is_closed else Closed(source)
        if isinstance(found, np.ndarray):
            utf8 = closed.html.encode() if self._is_closed else self._utf8
            offsets = _count_characters(found, utf8)
        else:
            offsets = _undo_newlines(_read_places(found), closed.html)
        places = np.where(offsets < 0, offsets, closed.undo(offsets)).astype(np.int32)
        places = self._arrange(places)
        places.setflags(write=False)
        return places

    def __getstate__(self) -> tuple[IntArray, IntArray | None]:
        return self.places, self.order

    def __setstate__(self, state: tuple[IntArray, IntArray | None]) -> None:
        places, self.order = state
        places.setflags(write=False)
        self._utf8, self._is_closed = b"", False
        self._found, self._places = None, places

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SourceTags) and np.array_equal(self.places, other.places)

    __hash__: ClassVar[None]  # type: ignore[assignment]


def _read_places(tree: turbohtml.Document) -> npt.NDArray[np.int64]:
    places = [_place_of(element) for element in watch(tree.iter_elements())]
    return np.array(places, np.int64).reshape(-1, 4)


def _place_of(element: turbohtml.Element) -> tuple[int, int, int, int]:
    location = element.source_location
    if location is None:
        return _NOWHERE
    start, end = location.start_tag, location.end_tag
    stop = (-1, -1) if end is None else (end.start_offset, end.end_offset)
    return (start.start_offset, start.end_offset, *stop)


def _count_characters(offsets: IntArray, utf8: bytes) -> npt.NDArray[np.int64]:
    """Map offsets in UTF-8 to characters; negative ones stay."""
    if utf8.isascii():
        return offsets.astype(np.int64)
    continuing = np.flatnonzero(np.frombuffer(utf8, np.int8) < _FIRST_START)
    return offsets - continuing.searchsorted(offsets)


def _undo_newlines(spans: npt.NDArray[np.int64], source: str) -> npt.NDArray[np.int64]:
    """Map offsets from the parser's input, where CR LF is one character, to the source."""
    if "\r" not in source:
        return spans
    points = np.frombuffer(source.encode("utf-32-le"), "<u4")
    pairs = np.flatnonzero((points[:-1] == ord("\r")) & (points[1:] == ord("\n")))
    shifted = pairs - np.arange(pairs.size)
    return np.where(spans < 0, spans, spans + np.searchsorted(shifted, spans))
