"""Pages without a selection: portals, search results, web applications, forms, non-articles.

Crunch strips a portal to nothing; its authors were looking for a way to leave such pages untouched
(Gupta et al. 2003, section 4.1). Here the method's verdict decides, and for methods without
verdicts, the amount of text outside links.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from thresher.algorithms.crunch.params import Params
from thresher.document import Document, Verdict
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of
from thresher.writers.fragment.posts import find_shown_posts
from thresher.writers.shared.forms import NOT_SHOWN, find_forms

__all__ = ["find_rows", "passthrough_reason"]

_REASONS: Final[Mapping[Verdict, str]] = {
    Verdict.LISTING: "a portal or list of results",
    Verdict.NO_MAIN_CONTENT: "no main content found",
    Verdict.BLOCKED: "a login, error or consent page",
    Verdict.PARTIAL: "too large",
    Verdict.NEEDS_BROWSER: "a web application, rendered by scripts",
}
_FORM: Final = "a form"
_READ: Final = frozenset(("article", "documentation", "service"))
_MIN_PROBABILITY: Final = 0.5
_BESIDE: Final = flags_of("footer header nav")
_ROWS: Final = flags_of("article div dl li section tbody tr")
_MIN_ROW_WORDS: Final = 3
_MAX_ROW_WORDS: Final = 100
_MIN_LINKED: Final = 0.1
"""Share of a row's words in links: those of its title among what is said of it."""
_MIN_ROWS: Final = 5
_LIST_SHARE: Final = 0.5
"""Share of the words of a page, without header, menus and footer, that are in rows of a list."""
_MIN_WORDS: Final = Params().min_content_words
"""Minimum of words outside links, as in the method crunch."""


def passthrough_reason(document: Document) -> str | None:
    """Return why nothing is to be selected on a page; None if its content was found."""
    reason = _REASONS.get(document.verdict)
    if reason:
        return reason
    if document.page.attached:
        return _REASONS[Verdict.NEEDS_BROWSER]
    page = document.page
    selection = document.selection
    if find_forms(page, selection.keep, selection.dropped_by_rule).is_purpose:
        return _FORM
    words = (page.leaf_words - page.leaf_link_words)[document.selection.keep].sum()
    is_list = words < _MIN_WORDS or find_rows(document) is not None
    return _REASONS[Verdict.LISTING] if is_list else None


def find_rows(document: Document) -> BoolArray | None:
    """Flag the rows of a list that a page consists of, bool[n_row]; None if it is no list.

    Each topic of a forum, each result, is a row: an element with some words and a link, among
    others of the same parent. Methods keep some rows, or parts of them. Posts of a thread and
    sections of an article are rows too, but such pages are told by what they are.
    """
    page, kind = document.page, document.page_type
    if kind and kind.name in _READ and kind.probability >= _MIN_PROBABILITY:
        return None
    words = page.subtree_words
    linked = page.link_words_before[page.end] - page.link_words_before[:-1]
    beside = page.within(_BESIDE[page.tag]) | ((page.hidden & NOT_SHOWN) != 0)
    rows = _ROWS[page.tag] & ~beside & (words >= _MIN_ROW_WORDS) & (words <= _MAX_ROW_WORDS)
    rows &= (linked > 0) & (linked >= _MIN_LINKED * words)
    of_parent = np.bincount(page.parent[rows], minlength=len(page))
    rows &= of_parent[page.parent] >= _MIN_ROWS
    rows &= ~page.below(rows)
    others = int(page.leaf_words[~beside[page.leaves]].sum())
    if int(words[rows].sum()) < max(1, _LIST_SHARE * others) or find_shown_posts(document):
        return None
    return rows
