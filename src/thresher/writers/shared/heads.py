"""Heads of articles and posts, restored where a method drops them and a page stays in place."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from thresher.document import Document
from thresher.selection import Selection
from thresher.writers.fragment.posts import find_shown_posts
from thresher.writers.shared.article_head import keep_article_head

__all__ = ["keep_heads"]

_MAX_FACT_WORDS: Final = 12
"""Words of an element that only states who wrote a post, when, or how it was voted on."""


def keep_heads(document: Document) -> Selection:
    """Return the selection with the head of the article and, on a forum, those of its posts.

    Methods select what posts say; without names and dates nobody could tell who answers whom.
    Blocks that the user's rules exclude stay excluded.
    """
    selection, page = document.selection, document.page
    rows = [row for post in find_shown_posts(document) for row in post.fact_rows]
    if rows:
        facts = np.zeros(len(page), np.bool_)
        facts[rows] = True
        facts &= page.subtree_words <= _MAX_FACT_WORDS
        added = page.within(facts)[page.leaves] & ~selection.dropped_by_rule
        selection = replace(selection, keep=selection.keep | added)
    return keep_article_head(selection)
