"""Threads as Markdown: post by post, each under its author and date, with replies in quotes.

Only posts with kept text are shown, each with its own text only: the rest of the post (names,
buttons, signatures) is part of the heading or left out. Content kept before the first post comes
first, content kept between posts stays there, and content kept after them and outside threads comes
last. A page without such posts is written as Markdown.
"""

from __future__ import annotations

from dataclasses import replace

from thresher.analysis.threads import Post
from thresher.document import Document, WriteOptions
from thresher.writers import markdown
from thresher.writers.fragment.posts import describe_post
from thresher.writers.shared.excerpts import find_excerpts, rearrange

__all__ = ["write"]


def write(document: Document, options: WriteOptions) -> str:
    """Write the threads as Markdown under the page's title; all options are those of Markdown."""
    excerpts = list(find_excerpts(document, _head))
    if not any(excerpt.heading for excerpt in excerpts):
        return markdown.write(document, options)
    return markdown.write(rearrange(document, excerpts), replace(options, title=True))


def _head(post: Post, number: int) -> str:
    """Return what is known of a post; its number if nothing is."""
    return describe_post(post) or f"#{number}"
