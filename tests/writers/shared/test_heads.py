"""Heads of articles and posts on pages that are written in place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import thresher
from tests.writers.fragment.test_post_borders import forum
from thresher.document import Document
from thresher.selection import DROPPED_BY_RULE
from thresher.writers.inplace import keep_heads


def with_posts_only(document: Document) -> Document:
    """Return a forum of which nothing is kept but what posts say."""
    keep = np.zeros_like(document.selection.keep)
    for post in document.threads[0].posts:
        keep[post.leaves] = True
    return replace(document, selection=replace(document.selection, keep=keep))


def texts_of(document: Document, keep: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
    """Return the texts that are kept."""
    leaves = np.flatnonzero(keep).tolist()
    return "\n".join(document.page.leaf_text(leaf) for leaf in leaves)


def test_names_and_dates_of_posts_are_kept() -> None:
    """A reader sees who wrote each post and when."""
    document = with_posts_only(forum())
    before = texts_of(document, document.selection.keep)
    after = texts_of(document, keep_heads(document).keep)
    for post in document.threads[0].posts:
        assert post.author and post.author not in before
        assert post.author in after
        assert post.date and post.date.raw in after


def test_what_rules_drop_stays_dropped() -> None:
    """A name that the user's rules drop is not restored."""
    document = with_posts_only(forum())
    selection = document.selection
    code = np.ones_like(selection.reason_code)
    less = replace(selection, reason_code=code, reasons=("", DROPPED_BY_RULE))
    dropped = replace(document, selection=less)
    assert np.array_equal(selection.keep, keep_heads(dropped).keep)


def test_other_pages_have_no_posts() -> None:
    """On a page that no method takes for a forum, nothing but its headline is added."""
    page = forum().page
    document = Document(page, thresher.select(page, "keep_all"))
    assert np.array_equal(document.selection.keep, keep_heads(document).keep)
