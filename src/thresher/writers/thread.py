"""Threads as Markdown: post by post, each under its author and date, with replies in quotes.

Only posts with kept text are shown, each with its own text only. Content kept before the first post
comes first, content kept between posts stays there, and content kept after them and outside threads
comes last. A page without such posts is written as Markdown.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.links import find_base
from thresher.analysis.metadata import PageTitle
from thresher.analysis.threads import Post, Thread
from thresher.document import Document, WriteOptions
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, TEXT
from thresher.selection import Selection
from thresher.support.cached import cached_property
from thresher.writers import markdown
from thresher.writers.fragment.posts import describe_post


def write(document: Document, options: WriteOptions) -> str:
    """Write the threads as Markdown under the page's title; all options are those of Markdown."""
    excerpts = list(
        find_excerpts(document, lambda post, number: describe_post(post) or f"#{number}")
    )
    if not any(excerpt.heading for excerpt in excerpts):
        return markdown.write(document, options)
    return markdown.write(rearrange(document, excerpts), replace(options, title=True))


# -- excerpts ----------------------------------------------------------------------------------


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


def find_excerpts(document: Document, head: Callable[[Post, int], str]) -> Iterator[Excerpt]:
    """Yield the excerpts: content before the threads, their posts, content between, and the rest.

    ``head`` returns the heading of a post, given its number from 1. Posts without kept text are
    left out; there are no excerpts of a page without threads.
    """
    page, keep = document.page, document.selection.keep
    posts = [post for thread in document.threads for post in thread.posts]
    if not posts:
        return
    posts_at = sorted(posts, key=lambda post: (post.row, -post.end))
    outer: list[tuple[int, int]] = []
    inner: dict[tuple[int, int], list[tuple[int, int]]] = {}
    path: list[tuple[int, int]] = []
    for post in posts_at:
        span = (post.row, post.end)
        while path and path[-1][1] <= span[0]:
            path.pop()
        (inner[path[-1]] if path else outer).append(span)
        inner[span] = []
        path.append(span)

    outside = keep & (_count_around(page, outer) == 0)
    threads = [thread.posts for thread in document.threads]
    whole = [(posts[0].row, max(post.end for post in posts)) for posts in threads]
    between = outside & (_count_around(page, whole) > 0)
    begin = int(page.leaf_offset[posts_at[0].row])
    rest = outside & ~between
    before, behind = (
        np.flatnonzero(part).astype(np.int32)
        for part in (rest & (np.arange(keep.size) < begin), rest & (np.arange(keep.size) >= begin))
    )
    parts = deque(_split_between(page, between, outer))
    if before.size:
        yield Excerpt(None, 0, 0, len(page), outer, before)
    number = 0
    for thread_posts in threads:
        for post in thread_posts:
            number += 1
            while parts and parts[0].start < post.row:
                yield parts.popleft()
            leaves: IntArray = post.leaves[keep[post.leaves]]
            if leaves.size:
                without = inner[post.row, post.end]
                yield Excerpt(head(post, number), post.depth, post.row, post.end, without, leaves)
    yield from parts
    if behind.size:
        yield Excerpt(None, 0, 0, len(page), outer, behind)


def _count_around(page: Page, spans: Sequence[tuple[int, int]]) -> IntArray:
    """Count the spans of rows around each leaf; int32[n_leaf]."""
    edges = np.zeros(page.leaves.size + 1, np.int32)
    for start, stop in spans:
        edges[page.leaf_offset[start]] += 1
        edges[page.leaf_offset[stop]] -= 1
    return np.cumsum(edges[:-1], dtype=np.int32)


def _split_between(
    page: Page, between: BoolArray, posts: Sequence[tuple[int, int]]
) -> Iterator[Excerpt]:
    """Yield excerpts of the leaves between posts, each the largest element without a post."""
    leaves = np.flatnonzero(between).astype(np.int32)
    if not leaves.size:
        return
    clear = page.subtree_sums(page.flag([start for start, _ in posts])) == 0
    row = page.nearest(clear & ~clear[page.parent], page.leaves[leaves])
    cuts = np.flatnonzero(np.diff(row)) + 1
    for part in np.split(np.arange(leaves.size), cuts):
        start = int(row[part[0]])
        yield Excerpt(None, 0, start, int(page.end[start]), (), leaves[part])


def rearrange(document: Document, excerpts: Iterable[Excerpt]) -> Document:
    """Return a document of the excerpts; all else that is known stays that of the original."""
    page, shown = assemble_page(document.page, excerpts)
    n_block = len(page.blocks)
    selection = Selection(
        page,
        document.selection.method,
        shown,
        np.zeros(n_block, np.float32),
        np.zeros(n_block, np.int16),
        ("told",),
    )
    return _RearrangedDocument(page, selection, original=document)


def _of_original(name: str) -> cached_property[Any]:
    """Make a property that is that of the original document."""
    return cached_property(lambda document: getattr(document.original, name))


@dataclass(frozen=True, eq=False, kw_only=True)
class _RearrangedDocument(Document):
    """A rearranged document: all that is known of the page is taken from the original."""

    original: Document

    verdict = _of_original("verdict")
    page_type = _of_original("page_type")
    confidence = _of_original("confidence")
    metadata = _of_original("metadata")
    metadata_values = _of_original("metadata_values")
    removed_links = _of_original("removed_links")

    @cached_property
    def page_title(self) -> PageTitle:
        return self.original.page_title._replace(row=0)  # it is a row of the original page

    @cached_property
    def threads(self) -> tuple[Thread, ...]:
        return ()  # its posts are sections now


# -- the page of excerpts ----------------------------------------------------------------------
#
# The result is an ordinary page, so that any writer can write it. Its rows are slices of the
# page's own, shifted: nothing is parsed, and however posts are nested, each row is copied at most
# thrice: with the text before the threads, with that after them, and with a post or the text
# between posts.

_Rows = npt.NDArray[np.int64]

MAX_LEVELS: Final = 6
"""Quotes in quotes; deeper replies are put into the last."""
_COLUMNS: Final = ("tag", "parent", "end", "depth", "open_start", "open_stop", "close_start",
                   "close_stop")  # fmt: skip


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
                for offsets in (page.open_start, page.open_stop, page.close_start, page.close_stop)
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
        return page, page.flag(np.concatenate([*self._shown, np.zeros(0, np.int64)]))[page.leaves]

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
