"""Readers' comments by the names of the elements around them, as trafilatura finds them.

The roles that Thresher's default method predicts would cost a quarter of an extraction more.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from thresher.page import Page
from thresher.page.rows import BoolArray

__all__ = ["flag_comments"]

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
