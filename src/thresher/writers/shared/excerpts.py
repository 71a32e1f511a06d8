"""Excerpts of a page with threads: each post, and what stands before, between and behind them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from thresher.analysis.metadata import Metadata, PageTitle
from thresher.analysis.removed_links import Link
from thresher.analysis.threads import Post, Thread
from thresher.document import Document, PageType, Verdict
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.selection import Selection
from thresher.support.cached import cached_property
from thresher.writers.shared.conversation import Excerpt, assemble_page

__all__ = ["find_excerpts", "rearrange"]


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
    threads = [each.posts for each in document.threads]
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
    is_post = np.zeros(len(page), np.bool_)
    is_post[[start for start, _ in posts]] = True
    clear = page.subtree_sums(is_post) == 0
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


@dataclass(frozen=True, eq=False)
class _RearrangedDocument(Document):
    """A rearranged document: all that is known of the page is taken from the original."""

    original: Document | None = None

    @cached_property
    def verdict(self) -> Verdict:
        return self._original.verdict

    @cached_property
    def page_type(self) -> PageType | None:
        return self._original.page_type

    @cached_property
    def confidence(self) -> float | None:
        return self._original.confidence

    @cached_property
    def metadata(self) -> Metadata:
        return self._original.metadata

    @cached_property
    def metadata_values(self) -> dict[str, str | list[str]]:
        return self._original.metadata_values

    @cached_property
    def page_title(self) -> PageTitle:
        return self._original.page_title._replace(row=0)  # it is a row of the original page

    @cached_property
    def threads(self) -> tuple[Thread, ...]:
        return ()  # its posts are sections now

    @cached_property
    def removed_links(self) -> tuple[Link, ...]:
        return self._original.removed_links

    @property
    def _original(self) -> Document:
        assert self.original is not None
        return self.original
