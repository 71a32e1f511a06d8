"""Edits as replacements in the source text itself, so that what is kept is the same to the byte.

Serialising a tree writes all of a page anew: quotes, letter case, character references, implied
tags. Here each edit is a range of the source, found by the positions of tags and attributes that
the parser reports. Such a range is wrong where an end tag is missing in a place that the guess
below does not foresee, or where the tree has content in another place than the source. So the
caller compares the result with the tree, and serialises the tree where they differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

import numpy as np
import numpy.typing as npt
from turbohtml import Element

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.tags import TEXT
from thresher.page.xml_syntax import Closed

__all__ = ["Replacement", "SourceRanges", "apply_replacements"]

_Offsets = npt.NDArray[np.int64]
Replacement = tuple[int, int, str]
"""Start and end in the source, in characters, and the text that takes the place."""
_UNKNOWN: Final = -1
_CRLF: Final = re.compile("\r\n")
_COMMENT: Final = re.compile(r"<!--(?>.*?-->|.*)", re.DOTALL)


class SourceRanges:
    """Where the rows of a page are in its source."""

    def __init__(
        self, page: Page, source: str, closed: Closed, element_of: Mapping[int, Element]
    ) -> None:
        """``element_of`` is of `pair_elements`, for a tree of ``closed`` with locations."""
        self._page = page
        self._source = source
        self._closed = closed
        self._element_of = element_of
        # The parser reads each CRLF as one character (HTML Living Standard, 13.2.3.5).
        pairs = np.array([match.start() for match in _CRLF.finditer(closed.html)], np.int64)
        self._breaks = pairs - np.arange(pairs.size)
        spans = np.full((4, page.n_own_row), _UNKNOWN, np.int64)
        for row, element in watch(element_of.items()):
            where = element.source_location
            if where is None:
                continue
            spans[0, row], spans[1, row] = where.start_tag.start_offset, where.start_tag.end_offset
            if where.end_tag is not None:
                spans[2, row], spans[3, row] = where.end_tag.start_offset, where.end_tag.end_offset
        known = spans != _UNKNOWN
        spans[known] = self._to_source(spans[known])
        self._open, self._opened, self._close, self._closing = spans
        starts = np.append(np.where(known[0], self._open, len(source)), len(source))
        self._next: _Offsets = np.minimum.accumulate(starts[::-1])[::-1]

    def cut(self, row: int, text: str = "") -> Replacement | None:
        """Return the replacement of an element or text; None if it has no place in the source.

        Comments among a text stay, since scripts may count on them.
        """
        if self._page.tag[row] == TEXT:
            found = self._text_range(row)
            text = "".join(_COMMENT.findall(self._source[slice(*found)])) if found else text
        else:
            found = self._element_range(row)
        return (*found, text) if found else None

    def cut_tags(self, row: int) -> tuple[Replacement, ...] | None:
        """Return the removal of an element's tags; None if one is missing."""
        if self._open[row] == _UNKNOWN or self._close[row] == _UNKNOWN:
            return None
        tags = (self._open[row], self._opened[row]), (self._close[row], self._closing[row])
        return tuple((int(start), int(end), "") for start, end in tags)

    def edit_attributes(
        self, row: int, attributes: Mapping[str, str | None]
    ) -> Iterator[Replacement] | None:
        """Return replacements for attributes to set or, if None, remove; None without a tag."""
        if self._open[row] == _UNKNOWN:
            return None
        return self._edit_attributes(row, attributes)

    def _edit_attributes(
        self, row: int, attributes: Mapping[str, str | None]
    ) -> Iterator[Replacement]:
        where = self._element_of[row].source_location
        assert where
        added = ""
        for name, value in attributes.items():
            written = "" if value is None else f'{name}="{escape(value)}"'
            if known := where.attrs.get(name):
                start, end = self._to_source(np.array([known.start_offset, known.end_offset]))
                while not written and self._source[start - 1].isspace():
                    start -= 1
                yield int(start), int(end), written
            elif written:
                added += f" {written}"
        if added:
            at = int(self._opened[row]) - 1
            at -= self._source[at - 1] == "/"
            yield at, at, added

    def _element_range(self, row: int) -> tuple[int, int] | None:
        if self._open[row] == _UNKNOWN:
            return None
        if self._closing[row] != _UNKNOWN:
            end = self._closing[row]
        elif self._page.end[row] == row + 1:
            end = self._opened[row]  # a void element, or an empty one
        else:
            end = self._content_end(row)
        return int(self._open[row]), int(end)

    def _text_range(self, row: int) -> tuple[int, int] | None:
        parent = int(self._page.parent[row])
        start = int(self._opened[parent])
        sibling = parent + 1
        while sibling < row:
            if self._page.tag[sibling] != TEXT:
                found = self._element_range(sibling)
                start = found[1] if found else _UNKNOWN
            sibling = int(self._page.end[sibling])
        close = self._close[parent]
        end = min(close if close != _UNKNOWN else self._content_end(parent), self._next[row])
        return (start, int(end)) if _UNKNOWN < start <= end else None

    def _content_end(self, row: int) -> int:
        """Return where an element without an end tag ends: at the next one, or with an ancestor."""
        end, parent = int(self._next[self._page.end[row]]), int(self._page.parent[row])
        while parent >= 0 and self._close[parent] == _UNKNOWN:
            parent = int(self._page.parent[parent])
        return min(end, int(self._close[parent])) if parent >= 0 else end

    def _to_source(self, offsets: _Offsets) -> _Offsets:
        return self._closed.undo(offsets + np.searchsorted(self._breaks, offsets))


def apply_replacements(source: str, replacements: list[Replacement]) -> str | None:
    """Return the source with its replacements; None if they overlap."""
    pieces: list[str] = []
    done = 0
    for start, end, text in sorted(replacements, key=lambda each: each[:2]):
        if start < done or end < start:
            return None
        pieces += source[done:start], text
        done = end
    return "".join((*pieces, source[done:]))
