"""Model of a thread: posts in order, each with author, date, position and text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from thresher.page.scan import IntArray

__all__ = ["Post", "PostDate", "Thread", "ThreadKind"]


class ThreadKind(Enum):
    """The relation of posts to each other and to the page."""

    FORUM = "forum"
    """The posts are the content of the page."""
    COMMENTS = "comments"
    """The posts are about other content of the page."""
    QA = "questions and answers"
    REVIEWS = "reviews"


@dataclass(frozen=True, slots=True)
class PostDate:
    """The date of a post."""

    iso: str | None
    """ISO 8601; None for a relative date, which depends on the current time."""
    raw: str
    """The text on the page."""


@dataclass(frozen=True, slots=True, eq=False)
class Post:
    """One post. Arrays are read-only."""

    row: int
    """The first row of the post."""
    end: int
    """One past the last row; replies may be inside."""
    author: str | None
    date: PostDate | None
    depth: int
    """Number of ancestors among the posts, 0 for one that answers none."""
    parent: int | None
    """The post it answers: an index into the thread's posts, smaller than its own."""
    score: int | None
    """Votes, points or likes."""
    is_question: bool
    is_answer: bool
    accepted: bool
    """Whether it was marked as the accepted answer."""
    permalink: str | None
    """The address of this post, absolute if the page's address is known."""
    leaves: IntArray
    """Its own text: indices into the page's leaves, without replies and without the lines with
    author, date and score; int32[n]."""
    fact_rows: tuple[int, ...] = ()
    """The elements and texts that state author, date and score."""


@dataclass(frozen=True, slots=True, eq=False)
class Thread:
    """Posts that belong together, in document order."""

    kind: ThreadKind
    row: int
    """The innermost element that contains all posts."""
    posts: tuple[Post, ...]
