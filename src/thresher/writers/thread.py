"""Threads as Markdown: post by post, each under its author and date, with replies in quotes.

Only posts with kept text are shown, each with its own text only: the rest of the post (names,
buttons, signatures) is part of the heading or left out. Content kept before the first post comes
first, content kept after it and outside threads comes last. A page without such posts is written as
Markdown.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from thresher.analysis.threads import Post
from thresher.document import Document, WriteOptions
from thresher.writers import markdown
from thresher.writers.shared.excerpts import find_excerpts, rearrange

__all__ = ["write"]

_BETWEEN: Final = " · "
_ACCEPTED: Final = "✓"
_SECONDS_AT: Final = len("2024-05-03T10:20")
"""Where seconds begin in a date."""


def write(document: Document, options: WriteOptions) -> str:
    """Write the threads as Markdown under the page's title; all options are those of Markdown."""
    excerpts = list(find_excerpts(document, _head))
    if not any(excerpt.heading for excerpt in excerpts):
        return markdown.write(document, options)
    return markdown.write(rearrange(document, excerpts), replace(options, title=True))


def _head(post: Post, number: int) -> str:
    """Return the author, date, score and acceptance of a post; its number if none is known."""
    date = post.date and (post.date.iso or post.date.raw)
    if post.date and post.date.iso:
        date = post.date.iso[:_SECONDS_AT].replace("T", " ")
    parts = [
        post.author,
        date,
        None if post.score is None else f"{post.score:+d}",
        _ACCEPTED if post.accepted else None,
    ]
    return _BETWEEN.join(part for part in parts if part) or f"#{number}"
