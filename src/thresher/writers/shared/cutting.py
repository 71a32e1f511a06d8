"""Edits as replacements in the source text itself, so that what is kept is the same to the byte.

Serialising a tree writes all of a page anew: quotes, letter case, character references, implied
tags. Here each edit is a range of the source, found by the positions of tags that the parse
recorded. Such a range is wrong where an end tag is missing in a place that the guess below does not
foresee, or where the tree has content in another place than the source. So the caller compares the
result with the page that the edits must give, and serialises a tree where they differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import AnyStr, Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.source_positions import locate_tags
from thresher.page.tags import TEXT
from thresher.page.xml_syntax import ATTRIBUTE

__all__ = ["Replacement", "SourceRanges", "apply_replacements"]

_Offsets = npt.NDArray[np.int64]
Replacement = tuple[int, int, str]
"""Start and end in the source, in characters, and the text that takes the place."""
_UNKNOWN: Final = -1
_ATTRIBUTE: Final = re.compile(ATTRIBUTE)
_COMMENT: Final = re.compile(r"<!--(?>.*?-->|.*)", re.DOTALL)


class SourceRanges:
    """Where the rows of a page are in its source."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._source = page.source
        tags = locate_tags(page)[: page.n_own_row].astype(np.int64)
        self._open, self._opened, self._close, self._closing = tags.T
        n_source = len(self._source)
        starts = np.append(np.where(tags[:, 0] == _UNKNOWN, n_source, tags[:, 0]), n_source)
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
        places = self._find_attributes(row)
        added = ""
        for name, value in attributes.items():
            written = "" if value is None else f'{name}="{escape(value)}"'
            if known := places.get(name):
                start, end = known
                while not written and self._source[start - 1].isspace():
                    start -= 1
                yield start, end, written
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

    def _find_attributes(self, row: int) -> dict[str, tuple[int, int]]:
        """Return where the attributes of a start tag are, by lower-case name; the first counts."""
        at, stop = int(self._open[row]), int(self._opened[row])
        at += 1 + len(self._page.name(row))
        found: dict[str, tuple[int, int]] = {}
        while match := _ATTRIBUTE.match(self._source, at, stop):
            at = match.end()
            found.setdefault(match["name"].lower(), (match.start("name"), at))
        return found


def apply_replacements(
    source: AnyStr, replacements: list[tuple[int, int, AnyStr]]
) -> AnyStr | None:
    """Return the source with its replacements; None if they overlap."""
    pieces: list[AnyStr] = []
    done = 0
    for start, end, text in sorted(replacements, key=lambda each: each[:2]):
        if start < done or end < start:
            return None
        pieces += source[done:start], text
        done = end
    pieces.append(source[done:])
    return source[:0].join(pieces)
