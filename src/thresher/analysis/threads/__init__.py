"""Threads of a page: structured forum posts, comments, questions and answers.

    markup_names      the words in names of posts and their parts
    addresses         the links that lead to persons, members of a board, or posts
    row_names         the names of rows, each with the rows that have it
    markup_hints      what names and addresses indicate of each row: an author, a date, a body …
    dates             the dates of a page and their rows
    similar_siblings  rows that share a name or a parent
    raising           rows of a group raised to the posts around them
    groups            rows that may be posts, and the evidence for each group
    choose            the groups that are threads, and how they are joined
    post_spans        the post of each row and leaf
    facts             date, score and permalink of a post; authors: its author
    bodies            the leaves that are a post's own text
    reply_parents     the post that each one answers: nesting, stated depth, indentation
    texts             the text of a post
    json_ld           what JSON-LD adds to the posts shown
    read              all of it combined: start here

No text is read except dates and numbers, so the language of a page does not matter; names in markup
are English everywhere.
"""

from __future__ import annotations

from thresher.analysis.threads.model import Post, PostDate, Thread, ThreadKind
from thresher.deadline import check_deadline
from thresher.page import Page
from thresher.support.cached import cached_view

__all__ = ["Post", "PostDate", "Thread", "ThreadKind", "read_threads"]


@cached_view
def read_threads(page: Page) -> tuple[Thread, ...]:
    """Return the threads of a page in document order; never raises.

    Cost: a walk over the page's attributes and dates, linear in the page; once for each page.
    """
    check_deadline()
    # Imported late: most callers need only text.
    from thresher.analysis.threads.read import read  # noqa: PLC0415

    return read(page)
