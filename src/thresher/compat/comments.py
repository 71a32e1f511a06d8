"""Readers' comments: those that the default method left out, or by the names of elements.

The roles that the method predicts would cost a quarter of an extraction more.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from thresher.algorithms.learned.reasons import COMMENT_REASON
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.selection import Selection

__all__ = ["find_dropped_comments", "flag_comments"]

_WORD: Final = b"omment"  # with and without a capital
_NAMED_AFTER: Final = re.compile(
    rb'<(?:article|details|div|li|ol|section|ul) (?:[^<>]* )?(?:class|id)="(?:[^"<>]*[ _-])?[cC]\Z'
)
"""Start of a container with a class or id in which that word begins here."""
_BEFORE: Final = frozenset(
    sign + letter for sign in (b'"', b" ", b"_", b"-") for letter in (b"c", b"C")
)
"""Pairs of bytes that it ends with."""
_COMMENTARY: Final = b"ommentary"
"""A word that is not about readers."""
_MAX_NAME_BYTES: Final = 200
"""Bytes of a start tag that are looked at."""
_AROUND_COMMENTS: Final = ("button", "form", "h1", "h2", "h3", "h4", "h5", "h6", "label", "nav")
"""Elements in such containers whose text is no comment."""
_MIN_KEPT_SHARE: Final = 0.3
"""Share of a page's words from which the method has told comments apart, if there are any: it does
not for elements with 0.7 of the words or more. Names need not be looked for then, which takes 2 to
3 % of an extraction."""


def find_dropped_comments(selection: Selection) -> BoolArray:
    """Flag the leaves of comments that the default method does not keep; bool[n_leaf]."""
    page = selection.page
    if COMMENT_REASON not in selection.reasons:  # a page without blocks
        return np.zeros(page.leaves.size, np.bool_)
    is_comment = selection.reason_code == selection.reasons.index(COMMENT_REASON)
    if is_comment.any():
        # Without the links around them, to reply or to read more.
        is_comment &= page.blocks.sums(page.leaf_words - page.leaf_link_words) > 0
        of_leaf: BoolArray = is_comment[page.blocks.of_leaf]
        return of_leaf & ~page.within(page.tagged(_AROUND_COMMENTS))[page.leaves]
    if selection.words >= _MIN_KEPT_SHARE * page.words_before[-1]:
        return np.zeros(page.leaves.size, np.bool_)
    return flag_comments(page) & ~selection.block_keep[page.blocks.of_leaf]


def flag_comments(page: Page) -> BoolArray:
    """Flag the leaves in containers named after comments; bool[n_leaf].

    A container with a heading of the first level holds the article as well, and does not count.
    """
    nothing = np.zeros(page.leaves.size, np.bool_)
    rows = _find_named(page)
    if not rows.size:
        return nothing
    headlines = np.concatenate(([0], np.cumsum(page.tagged(("h1",)))))
    rows = rows[headlines[page.end[rows]] == headlines[rows]]
    named = np.zeros(len(page), np.bool_)
    named[rows] = True
    inside = page.within(named) & ~page.within(page.tagged(_AROUND_COMMENTS))
    return inside[page.leaves]


def _find_named(page: Page) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the rows of the containers with a class or id of comments."""
    buffer, starts = page.buffer, []
    at = buffer.find(_WORD)
    while at >= 0:
        # Most such words are in texts and scripts.
        is_name = buffer[at - 2 : at] in _BEFORE
        start = buffer.rfind(b"<", max(0, at - _MAX_NAME_BYTES), at) if is_name else -1
        if (
            start >= 0
            and _NAMED_AFTER.match(buffer, start, at)
            and not buffer.startswith(_COMMENTARY, at)
        ):
            starts.append(start)
        at = buffer.find(_WORD, at + 1)
    # Rows that script data added have no tags in this order.
    return np.searchsorted(page.open_start[: page.n_own_row], starts)
