"""A page rearranged as a conversation: a heading for each post, replies in nested quotes.

The result is an ordinary page, so that any writer can write it. Its rows are slices of the page's
own, shifted: nothing is parsed, and however posts are nested, each row is copied at most thrice:
with the text before the threads, with that after them, and with a post or the text between posts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.links import find_base
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, TEXT

__all__ = ["Excerpt", "assemble_page"]

_Rows = npt.NDArray[np.int64]

MAX_LEVELS: Final = 6
"""Quotes in quotes; deeper replies are put into the last."""
_COLUMNS: Final = ("tag", "parent", "end", "depth", "open_start", "open_stop", "close_start",
                   "close_stop")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Rows of a page that are shown together, under a heading."""

    heading: str | None
    level: int
    """Number of quotes around it."""
    start: int
    stop: int
    without: Sequence[tuple[int, int]]
    """Spans of rows inside, in order and disjoint, that are shown elsewhere."""
    leaves: IntArray
    """The page's leaves that are shown, among those of the excerpt."""


def assemble_page(page: Page, excerpts: Iterable[Excerpt]) -> tuple[Page, BoolArray]:
    """Make a page of excerpts; return it and which of its leaves are shown, bool[n_leaf]."""
    builder = _PageBuilder(page)
    builder.open("html")
    builder.open("body")
    level = 0
    for excerpt in excerpts:
        wanted = min(excerpt.level, MAX_LEVELS)
        while level > wanted:
            builder.close()
            level -= 1
        while level < wanted:
            builder.open("blockquote")
            level += 1
        if excerpt.heading:
            builder.open("h2")
            builder.write(excerpt.heading)
            builder.close()
        builder.copy(excerpt)
    return builder.finish()


class _PageBuilder:
    """A page under construction."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._rows: list[npt.NDArray[np.int64]] = []
        self._bytes: list[bytes] = []
        self._shown: list[_Rows] = []
        self._open: list[tuple[int, str]] = []
        self._ends: list[tuple[int, int, int, int]] = []
        self._n_row = 0
        self._n_byte = 0

    def open(self, name: str) -> None:
        """Open an element."""
        start = self._put(f"<{name}>".encode())
        self._add(CODE_OF[name], start, self._n_byte)
        self._open.append((self._n_row - 1, name))

    def close(self) -> None:
        """Close the innermost open element."""
        row, name = self._open.pop()
        start = self._put(f"</{name}>".encode())
        self._ends.append((row, self._n_row, start, self._n_byte))

    def write(self, text: str) -> None:
        """Add a text that is shown."""
        start = self._put(escape(text, quote=False).encode())
        self._add(TEXT, start, self._n_byte)
        self._shown.append(np.array([self._n_row - 1]))

    def copy(self, excerpt: Excerpt) -> None:
        """Add the rows of an excerpt. Of the rows left out the first start and end tag stay.

        Without them the texts before and after would be one.
        """
        page = self._page
        rows, byte_from, byte_to = _cut(page, excerpt)
        sizes = byte_to - byte_from
        moved_to = self._n_byte + np.cumsum(sizes) - sizes

        def move(offsets: IntArray) -> npt.NDArray[np.int64]:
            piece = np.searchsorted(byte_from, offsets, side="right") - 1
            return np.asarray(offsets - byte_from[piece] + moved_to[piece], np.int64)

        first, depth = self._n_row, len(self._open)
        inside = page.parent[rows] >= excerpt.start
        parent = np.searchsorted(rows, page.parent[rows]) + first
        columns = [
            page.tag[rows],
            np.where(inside, parent, self._open[-1][0]),
            np.searchsorted(rows, page.end[rows]) + first,
            page.depth[rows] - page.depth[excerpt.start] + depth,
            *(
                move(offsets[rows])
                for offsets in (
                    page.open_start,
                    page.open_stop,
                    page.close_start,
                    page.close_stop,
                )
            ),
        ]
        self._rows.append(np.array(columns, np.int64))
        for start, stop in zip(byte_from.tolist(), byte_to.tolist(), strict=True):
            self._put(page.buffer[start:stop])
        self._n_row += rows.size
        shown = page.leaves[excerpt.leaves]
        self._shown.append(np.searchsorted(rows, shown) + first)

    def finish(self) -> tuple[Page, BoolArray]:
        """Close all open elements and return the page, with the leaves that are shown."""
        while self._open:
            self.close()
        columns = np.concatenate(self._rows, axis=1)
        for row, end, start, stop in self._ends:
            columns[2, row], columns[6:8, row] = end, (start, stop)
        arrays = {
            name: values.astype(np.int16 if name == "tag" else np.int32)
            for name, values in zip(_COLUMNS, columns, strict=True)
        }
        for array in arrays.values():
            array.setflags(write=False)
        page = Page(
            utf8=b"",
            url=find_base(self._page) or self._page.url,
            encoding=self._page.encoding,
            buffer=b"".join(self._bytes),
            **arrays,
        )
        shown = np.zeros(len(page), np.bool_)
        shown[np.concatenate([*self._shown, np.zeros(0, np.int64)])] = True
        return page, shown[page.leaves]

    def _put(self, markup: bytes) -> int:
        start = self._n_byte
        self._bytes.append(markup)
        self._n_byte += len(markup)
        return start

    def _add(self, tag: int, start: int, stop: int) -> None:
        parent = self._open[-1][0] if self._open else -1
        row = self._n_row
        values = (tag, parent, row + 1, len(self._open), start, stop, stop, stop)
        self._rows.append(np.array(values, np.int64)[:, None])
        self._n_row += 1


def _cut(page: Page, excerpt: Excerpt) -> tuple[_Rows, _Rows, _Rows]:
    """Return the rows of an excerpt, and the pieces of the buffer that hold them: from, to."""
    rows = [excerpt.start]
    edges = [int(page.open_start[excerpt.start])]
    for start, stop in excerpt.without:
        after = int(page.end[start])
        rows += [start + 1, after]
        edges += [int(page.open_stop[start]), int(page.close_start[start])]
        if after < stop:
            rows += [after, stop]
            edges += [int(page.close_stop[start]), _stop_byte(page, after, stop)]
    rows.append(excerpt.stop)
    edges.append(_stop_byte(page, excerpt.start, excerpt.stop))
    parts = [np.arange(*part) for part in zip(rows[::2], rows[1::2], strict=True)]
    pairs = np.array(edges, np.int64).reshape(-1, 2)
    return np.concatenate(parts), pairs[:, 0], pairs[:, 1]


def _stop_byte(page: Page, start: int, stop: int) -> int:
    """Return where the last of the sibling rows with subtrees ``start:stop`` ends."""
    row = start
    while page.end[row] < stop:
        row = int(page.end[row])
    return int(page.close_stop[row])
