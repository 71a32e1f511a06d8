"""What a thread is: posts in order, each with its author, date, place in the thread, and text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from thresher.page.scan import IntArray

__all__ = ["Post", "PostDate", "Thread", "ThreadKind"]


class ThreadKind(Enum):
    """What posts are to each other, and to the page."""

    FORUM = "forum"
    """Posts are what the page is."""
    COMMENTS = "comments"
    """Posts are about something else on the page."""
    QA = "questions and answers"
    REVIEWS = "reviews"


@dataclass(frozen=True, slots=True)
class PostDate:
    """When a post was written."""

    iso: str | None
    """ISO 8601; None where the page says it in a way that only its clock could settle."""
    raw: str
    """As the page has it."""


@dataclass(frozen=True, slots=True, eq=False)
class Post:
    """One post. Arrays are read-only."""

    row: int
    """The first row of what the page shows of it."""
    end: int
    """One past the last; replies may be inside."""
    author: str | None
    date: PostDate | None
    depth: int
    """Posts above it, 0 for one that answers none."""
    parent: int | None
    """The post it answers: an index into the thread's posts, smaller than its own."""
    score: int | None
    """Votes, points or likes."""
    is_question: bool
    is_answer: bool
    accepted: bool
    """Whether it was marked as the answer."""
    permalink: str | None
    """The address of this post, absolute where that of the page is known."""
    leaves: IntArray
    """Its own text: indices into the page's leaves, without replies and without the lines that say
    who, when and how many votes; int32[n]."""


@dataclass(frozen=True, slots=True, eq=False)
class Thread:
    """Posts that belong together, in document order."""

    kind: ThreadKind
    row: int
    """The innermost element around all posts."""
    posts: tuple[Post, ...]
