"""Forms of a page that is written in place: each is kept whole or removed whole.

A field without its label or its button is worse than no form at all, and a person may need a form
that is not main content: a search, a login, a comment. So every form with a visible field stays,
except requests to subscribe that are outside the content. A page whose purpose is a form is not cut
at all. Fields outside any form, or in one that is wrapped around the page, are grouped with the
nearest text and button. Links and buttons to search, log in and log out stay, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, flags_of
from thresher.selection import ENOUGH_WORDS
from thresher.writers.shared.form_fields import NEVER_SHOWN, NOT_SHOWN, TOGGLES, read_fields
from thresher.writers.shared.reached import SIGN_OUT, find_reached

__all__ = ["Forms", "find_forms"]

_FORM: Final = CODE_OF["form"]
_ASIDE: Final = flags_of("aside dialog footer header nav")
_SEARCH: Final = re.compile(r"search|query|such|recherch|buscar|cerca|zoek|поиск|搜")
_COMMENT: Final = re.compile(r"comment|respond|reply|kommentar|disqus")
_WORK: Final = re.compile(
    r"/(?:checkout|cart|basket|payment|wp-admin|admin|administrator|log[-_]?in|sign[-_]?in"
    r"|sign[-_]?up|register|account|my-account|settings|preferences|compose)(?:[/.]|$)"
)
"""Paths of pages whose purpose is a form, such as a checkout or a login."""
_MIN_WORK_FIELDS: Final = 3
_MANY_WORK_FIELDS: Final = 8
"""Fields, not counting those for a search, subscription or comment, from which a page is a form if
it has fewer words beside than `_SHORT_WORDS` and than `ENOUGH_WORDS`."""
_SHORT_WORDS: Final = 100
"""Selected words outside such fields from which a page may be an article. Its forms stay anyway. Of
17 pages looked at with three fields and more words, most were articles with a comment form."""


@dataclass(frozen=True, slots=True)
class Forms:
    """Decisions about the forms of a page; bool[n_row] each."""

    kept: BoolArray
    """Everything in forms that stay whole, and labels and links that belong to them."""
    dropped: BoolArray
    """Everything in forms that are removed whole."""
    atomic: BoolArray
    """Everything below a form with visible fields that is not wrapped around the page."""
    is_purpose: bool
    """The purpose of the page is a form: nothing is selected on it."""

    def extend(self, keep: BoolArray, leaves: IntArray) -> BoolArray:
        """Return the selected leaves with those of kept forms, without those of dropped ones."""
        return (keep | self.kept[leaves]) & ~self.dropped[leaves]


def find_forms(page: Page, keep: BoolArray | None, dropped: BoolArray | None = None) -> Forms:
    """Decide on the forms of a page.

    ``keep`` flags the selected leaves; None without a method, which is as if all were selected.
    ``dropped`` flags leaves that must go, such as by a rule of the user: they keep no form.
    """
    return _Finder(page, keep, dropped).find()


class _Finder:
    def __init__(self, page: Page, keep: BoolArray | None, dropped: BoolArray | None) -> None:
        self.page = page
        self.known = read_fields(page)
        self.keep = np.ones(page.leaves.size, np.bool_) if keep is None else keep
        self.chosen = np.flatnonzero(self.keep)
        self.refused = np.zeros(page.leaves.size, np.bool_) if dropped is None else dropped

    def find(self) -> Forms:
        page = self.page
        none = np.zeros(len(page), np.bool_)
        kept, dropped, atomic = none.copy(), none.copy(), none.copy()
        forms = np.flatnonzero((page.tag == _FORM) & ((page.hidden & NEVER_SHOWN) == 0)).tolist()
        if not (forms or self.known.fields.any() or self.known.editable.any()):
            for row in self._reached():
                kept[row : page.end[row]] = True
            return Forms(kept, dropped, atomic, False)
        boxes = [row for row in forms if not self.known.is_wide(row)]
        for row in boxes:
            span = slice(row, int(page.end[row]))
            n_field = int((self.known.fields | self.known.editable)[span].sum())
            if not n_field and not self.known.buttons[span].any():
                continue
            atomic[row + 1 : page.end[row]] |= n_field > 0
            (kept if self._stays(row, n_field) else dropped)[span] = True
        loose = (self.known.fields | self.known.editable) & ~kept & ~dropped
        for row in np.flatnonzero(loose).tolist():
            if kept[row] or dropped[row] or self.known.types.get(row) in TOGGLES:
                continue
            box = self.known.find_group(row)
            span = slice(box, int(page.end[box]))
            (kept if self._stays(box, int(self.known.fields[span].sum())) else dropped)[span] = True
        dropped &= ~kept
        for row in [*self.known.find_labels(kept), *self._reached()]:
            kept[row : page.end[row]] = True
        return Forms(kept, dropped, atomic, self._is_purpose(boxes))

    def _stays(self, row: int, n_field: int) -> bool:
        leaves = self.known.leaves_in(row)
        if self.refused[leaves].any():
            return False
        if self.keep[leaves].any():
            return True
        if n_field:
            return not self.known.is_subscription(row)
        return self._is_in_content(row) or bool(SIGN_OUT.search(self.known.describe(row)))

    def _is_in_content(self, row: int) -> bool:
        """Return whether an element stands between selected leaves."""
        if not self.chosen.size:
            return False
        leaves = self.known.leaves_in(row)
        return bool(self.chosen[0] < leaves.start and leaves.stop <= self.chosen[-1])

    def _reached(self) -> list[int]:
        """Return the ways to search, log in and log out, which stay reachable."""
        refused, leaves_in = self.refused, self.known.leaves_in
        return [row for row in find_reached(self.page) if not refused[leaves_in(row)].any()]

    def _is_purpose(self, boxes: list[int]) -> bool:
        """Return whether the purpose of the page is its fields."""
        page = self.page
        aside = page.within(_ASIDE[page.tag])
        shown = (page.hidden & NOT_SHOWN) == 0
        work = self.known.fields & shown & ~aside
        in_work = np.zeros(len(page), np.bool_)
        for row in boxes:
            span = slice(row, int(page.end[row]))
            if not work[span].any():
                continue
            described = " ".join(self.known.names.get(each, "") for each in range(row, span.stop))
            if self.known.is_subscription(row) or _is_other(described.casefold()):
                work[span] = False
            else:
                in_work[span] |= work[span].any()
        for row in np.flatnonzero(work & ~in_work).tolist():
            toggles = self.known.types.get(row) in TOGGLES
            if toggles or _is_other(self.known.names.get(row, "").casefold()):
                work[row] = False
        words = int(page.leaf_words[self.keep & ~in_work[page.leaves]].sum())
        is_read = words >= ENOUGH_WORDS
        if words < _SHORT_WORDS and (self.known.editable & shown & ~aside).any():
            return True
        n_work = self.known.count(work)
        if is_read or not n_work:
            return False
        if n_work >= _MANY_WORK_FIELDS or _WORK.search(_path_of(page.url or "")):
            return True
        has_password = any(
            self.known.types.get(row) == "password" for row in np.flatnonzero(work).tolist()
        )
        return words < _SHORT_WORDS and (has_password or n_work >= _MIN_WORK_FIELDS)


def _path_of(url: str) -> str:
    """Return the path of an absolute URL, in lower case."""
    return "/" + "/".join(url.lower().partition("?")[0].split("/")[3:])


def _is_other(names: str) -> bool:
    """Return whether names are those of a form that many pages have beside their content."""
    return bool(_SEARCH.search(names) or _COMMENT.search(names))
