"""Threads of a page: forum posts, comments, questions and answers, read as structure.

    markup_names what names in markup say
    markup_hints what names and addresses say of each row: an author, a date, a body, chaff
    dates the dates of the page, and which rows say them
    groups    rows that are alike and may be posts, and how much speaks for each group
    choose the groups that are threads, and how they belong together
    post_spans which post each row and leaf belongs to
    facts     date, score and permalink of a post; authors: who wrote it
    bodies    the leaves that are a post's own text
    reply_parents who answers whom: nesting, stated depth, indentation
    texts     the text of a post
    json_ld what JSON-LD adds to posts that the page shows
    read      all of it, put together: start here

No text is read but dates and numbers, so the language of a page does not matter; names in markup
are English everywhere.
"""

from __future__ import annotations

from thresher.analysis.threads.model import Post, PostDate, Thread, ThreadKind
from thresher.page import Page

__all__ = ["Post", "PostDate", "Thread", "ThreadKind", "read_threads"]


def read_threads(page: Page) -> tuple[Thread, ...]:
    """Read the threads of a page in document order; empty where it has none. Nothing raises.

    Costs a walk over the page's attributes and dates, linear in the page.
    """
    # Most callers want text alone.
    from thresher.analysis.threads.read import read  # noqa: PLC0415

    return read(page)
