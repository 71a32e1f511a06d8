"""Posts of a thread for display: each as clean HTML, with its author, date and place."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, replace
from typing import Final

from thresher.analysis.threads import Post
from thresher.app.markup import UNTITLED
from thresher.document import Document
from thresher.support.hosts import is_web
from thresher.writers.fragment.posts import MIN_POSTS, MIN_SHARE
from thresher.writers.thread import find_excerpts, rearrange

__all__ = ["MAX_DEPTH", "ThreadMarkup", "WrittenPost", "write_posts"]

MAX_DEPTH: Final = 6
"""Levels of indentation; deeper replies are shown at the last."""


@dataclass(frozen=True, slots=True)
class WrittenPost:
    """One post."""

    number: int
    """From 1, in the order of the page."""
    author: str | None
    iso: str | None
    """Date in ISO 8601."""
    date: str | None
    """Date as the page says it."""
    depth: int
    score: int | None
    is_question: bool
    is_accepted: bool
    permalink: str | None
    html: str


@dataclass(frozen=True, slots=True)
class ThreadMarkup:
    """Kept content of a page with threads, as clean HTML."""

    before: str
    posts: tuple[WrittenPost, ...]
    behind: str


def write_posts(document: Document) -> ThreadMarkup | None:
    """Write the kept posts one by one, and the content around them; None without a thread."""
    shown: dict[int, Post] = {}
    # A text that no page can contain, because it is chosen after the page was read.
    mark = secrets.token_hex(16)

    def head(post: Post, number: int) -> str:
        shown[number] = post
        return f"{mark}-{number}"

    excerpts = [replace(each, level=0) for each in find_excerpts(document, head)]
    n_shown = sum(int(document.page.leaf_words[each.leaves].sum()) for each in excerpts)
    if len(shown) < MIN_POSTS or n_shown < MIN_SHARE * document.selection.words:
        return None
    if excerpts[-1].heading is None:
        excerpts[-1] = replace(excerpts[-1], heading=f"{mark}-0")
    html = rearrange(document, excerpts).write("html", UNTITLED)
    before, *parts = re.split(rf"<h2>\s*{mark}-(\d+)\s*</h2>", html)
    written = dict(zip(map(int, parts[::2]), parts[1::2], strict=True))
    behind = written.pop(0, "")
    posts = tuple(_describe(shown[number], number, html) for number, html in written.items())
    return ThreadMarkup(before, posts, behind)


def _describe(post: Post, number: int, html: str) -> WrittenPost:
    return WrittenPost(
        number=number,
        author=post.author,
        iso=post.date.iso if post.date else None,
        date=post.date.raw if post.date else None,
        depth=min(post.depth, MAX_DEPTH),
        score=post.score,
        is_question=post.is_question,
        is_accepted=post.accepted,
        permalink=post.permalink if is_web(post.permalink) else None,
        html=html.strip(),
    )
