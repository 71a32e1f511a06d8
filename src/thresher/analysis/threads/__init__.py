"""Threads of a page: structured forum posts, comments, questions and answers.

    names       the names of rows, and the words in them of posts and their parts
    hints       what names and addresses indicate of each row: an author, a date, a body …
    evidence    dates, authors and prose in each row
    siblings    rows that share a name or a parent, raised to the posts around them
    choose      the groups of rows that are posts of threads, and how they are joined
    post_spans  the post of each row
    facts       author, date, score and permalink of a post
    bodies      the leaves that are a post's own text
    json_ld     what JSON-LD adds to the posts shown
    read        all of it combined, with the post that each one answers: start here

No text is read except dates and numbers, so the language of a page does not matter; names in markup
are English everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from thresher.deadline import check_deadline
from thresher.page import Page
from thresher.page.blocks import join_leaves
from thresher.page.scan import IntArray
from thresher.support.cached import cached_view

__all__ = ["Post", "PostDate", "Thread", "ThreadKind", "read_threads", "text_of"]


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


@cached_view
def read_threads(page: Page) -> tuple[Thread, ...]:
    """Return the threads of a page in document order; never raises.

    Cost: a walk over the page's attributes and dates, linear in the page; once for each page.
    """
    check_deadline()
    # Imported late: most callers need only text.
    from thresher.analysis.threads.read import read

    return read(page)


def text_of(page: Page, leaves: IntArray) -> str:
    """Join the texts of leaves in order, blocks separated by an empty line; skip pictures."""
    if not leaves.size:
        return ""
    gaps = page.gaps_of(leaves)
    begins = np.flatnonzero(np.diff(page.blocks.of_leaf[leaves], prepend=-1))
    ends = np.append(begins[1:], leaves.size)
    texts = [page.leaf_text(leaf) for leaf in leaves.tolist()]
    blocks = (
        join_leaves(texts[begin:end], gaps[begin:end])
        for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)
    )
    return "\n\n".join(block for block in blocks if block)
