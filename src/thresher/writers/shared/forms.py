"""Forms of a page that is written in place: each is kept whole or removed whole.

A field without its label or its button is worse than no form at all, and a person may need a form
that is not main content: a search, a login, a comment. So every form with a visible field stays,
except requests to subscribe that are outside the content. A page whose purpose is a form is not cut
at all. Fields outside any form, or in one that is wrapped around the page, are grouped with the
nearest text and button.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.hidden import Hidden
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, TEXT, flags_of
from thresher.selection import ENOUGH_WORDS

__all__ = ["Forms", "find_forms"]

_FORM: Final = CODE_OF["form"]
_INPUT: Final = CODE_OF["input"]
_BUTTON: Final = CODE_OF["button"]
_LABEL: Final = CODE_OF["label"]
_LINK: Final = CODE_OF["a"]
_FIELDS: Final = flags_of("select textarea")
_PARTS: Final = flags_of("article main nav")
"""Elements inside a form that is wrapped around a page."""
_STOPS: Final = flags_of("article body form frameset html main nav")
"""Elements that no group of fields contains."""
_ASIDE: Final = flags_of("aside dialog footer header nav")
_BUTTON_TYPES: Final = frozenset(("button", "image", "reset", "submit"))
_TOGGLES: Final = frozenset(("checkbox", "radio"))
"""Outside forms these often only open and close a menu."""
_SUBSCRIPTION_TYPES: Final = frozenset(("", "email", "text"))
_NEVER_SHOWN: Final = np.uint8(Hidden.TEMPLATE | Hidden.NOSCRIPT)
_NOT_SHOWN: Final = np.uint8(Hidden.TEMPLATE | Hidden.NOSCRIPT | Hidden.ATTRIBUTE | Hidden.STYLE)
_NAMING: Final = ("class", "id", "action", "name", "placeholder", "aria-label", "role")
_SUBSCRIPTION: Final = re.compile(
    r"newsletter|mailing.?list|mailchimp|mc-embedded|subscri(?:be|ption)|abonnieren|abonnez"
    r"|suscr[ií]b|iscriviti|inscreva|nieuwsbrief|nyhetsbrev|nyhedsbrev|uutiskirje|рассыл|订阅|訂閱"
    r"|メールマガジン|뉴스레터"
)
_SEARCH: Final = re.compile(r"search|query|such|recherch|buscar|cerca|zoek|поиск|搜")
_COMMENT: Final = re.compile(r"comment|respond|reply|kommentar|disqus")
_REACHED: Final = re.compile(
    r"/(?:log[-_]?out|sign[-_]?out|logoff|abmelden|deconnexion|log[-_]?in|sign[-_]?in|search)"
    r"(?:\.\w{2,5})?/?$"
)
"""Paths of links that stay reachable."""
_SIGN_OUT: Final = re.compile(r"log[-_ ]?out|sign[-_ ]?out|logoff|abmelden|déconnexion|wyloguj")
_WORK: Final = re.compile(
    r"/(?:checkout|cart|basket|payment|wp-admin|admin|administrator|log[-_]?in|sign[-_]?in"
    r"|sign[-_]?up|register|account|my-account|settings|preferences|compose)(?:[/.]|$)"
)
"""Paths of pages that are worked with."""
_WIDE_SHARE: Final = 0.8
_WIDE_WORDS: Final = 300
"""A form with at least these words, and this share of the page's, is wrapped around the page."""
_MAX_LEVELS: Final = 6
_MAX_GROUP_WORDS: Final = 60
_MAX_GROUP_ROWS: Final = 200
_MIN_WORK_FIELDS: Final = 3
_MANY_WORK_FIELDS: Final = 8
"""Fields, not counting those for a search, subscription or comment, from which a page is a form if
it has fewer words beside than `_SHORT_WORDS` and than `ENOUGH_WORDS`."""
_SHORT_WORDS: Final = 100
"""Selected words outside such fields from which a page may be an article. Its forms stay anyway. Of
17 pages looked at with three fields and more words, most were articles with a comment form."""
_MAX_SUBSCRIPTION_FIELDS: Final = 3


@dataclass(frozen=True, slots=True)
class Forms:
    """What must happen to the forms of a page; bool[n_row] each."""

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
        self.keep = np.ones(page.leaves.size, np.bool_) if keep is None else keep
        self.refused = np.zeros(page.leaves.size, np.bool_) if dropped is None else dropped
        self.values = page.attributes.values
        tag = page.tag
        types = {row: kind.strip().lower() for row, kind in self.values("type").items()}
        self.types = types
        self.buttons = tag == _BUTTON
        self.fields: BoolArray = _FIELDS[tag].copy()
        for row in np.flatnonzero(tag == _INPUT).tolist():
            kind = types.get(row, "")
            if kind in _BUTTON_TYPES:
                self.buttons[row] = True
            elif kind != "hidden":
                self.fields[row] = True
        self.fields &= (page.hidden & _NEVER_SHOWN) == 0
        self.editable = np.zeros(len(page), np.bool_)
        for row, value in self.values("contenteditable").items():
            self.editable[row] = value.strip().lower() in ("", "true", "plaintext-only")
        self.names = self._read_names()
        self.chosen = np.flatnonzero(self.keep)
        self.view_states = np.zeros(len(page), np.bool_)
        """The hidden fields that ASP.NET puts into a form around the page."""
        for row, name in self.values("name").items():
            self.view_states[row] = name == "__VIEWSTATE"

    def _read_names(self) -> dict[int, str]:
        """Return row → names, of the elements in forms, and of fields and what is around them."""
        page, attributes = self.page, self.page.attributes
        near = self.fields | (page.tag == _FORM)
        if not near.any():
            return {}
        near = page.within(near)
        around: npt.NDArray[np.integer] = np.flatnonzero(self.fields)
        for _ in range(_MAX_LEVELS):
            around = page.parent[around]
            near[around] = True
        names: dict[int, str] = {}
        for name in _NAMING:
            entries = attributes.named(name)
            for entry in entries[near[attributes.row[entries]]].tolist():
                row = int(attributes.row[entry])
                names[row] = f"{names.get(row, '')} {attributes.value(entry)}"
        return names

    def find(self) -> Forms:
        page = self.page
        none = np.zeros(len(page), np.bool_)
        kept, dropped, atomic = none.copy(), none.copy(), none.copy()
        forms = np.flatnonzero((page.tag == _FORM) & ((page.hidden & _NEVER_SHOWN) == 0)).tolist()
        if not (forms or self.fields.any() or self.editable.any()):
            for row in self._reached_links():
                kept[row : page.end[row]] = True
            return Forms(kept, dropped, atomic, False)
        boxes = [row for row in forms if not self._is_wide(row)]
        for row in boxes:
            span = slice(row, int(page.end[row]))
            n_field = int((self.fields | self.editable)[span].sum())
            if not n_field and not self.buttons[span].any():
                continue
            atomic[row + 1 : page.end[row]] |= n_field > 0
            (kept if self._stays(row, n_field) else dropped)[span] = True
        loose = (self.fields | self.editable) & ~kept & ~dropped
        for row in np.flatnonzero(loose).tolist():
            if kept[row] or dropped[row] or self.types.get(row) in _TOGGLES:
                continue
            box = self._group(row)
            span = slice(box, int(page.end[box]))
            (kept if self._stays(box, int(self.fields[span].sum())) else dropped)[span] = True
        dropped &= ~kept
        for row in [*self._labels(kept), *self._reached_links()]:
            kept[row : page.end[row]] = True
        return Forms(kept, dropped, atomic, self._is_purpose(boxes))

    def _is_wide(self, row: int) -> bool:
        """Return whether a form is wrapped around the page."""
        page = self.page
        span = slice(row, int(page.end[row]))
        if _PARTS[page.tag[span]].any():
            return True
        if self.view_states[span].any():
            return True
        words = self._words(row)
        return words >= max(_WIDE_WORDS, _WIDE_SHARE * int(page.words_before[-1]))

    def _words(self, row: int) -> int:
        page = self.page
        return int(page.words_before[page.end[row]] - page.words_before[row])

    def _leaves(self, row: int) -> slice:
        page = self.page
        return slice(int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]]))

    def _stays(self, row: int, n_field: int) -> bool:
        leaves = self._leaves(row)
        if self.refused[leaves].any():
            return False
        if self.keep[leaves].any():
            return True
        if n_field:
            return not self._is_subscription(row)
        return self._is_in_content(row) or bool(_SIGN_OUT.search(self._describe(row)))

    def _is_in_content(self, row: int) -> bool:
        """Return whether an element stands between selected leaves."""
        if not self.chosen.size:
            return False
        leaves = self._leaves(row)
        return bool(self.chosen[0] < leaves.start and leaves.stop <= self.chosen[-1])

    def _is_subscription(self, row: int) -> bool:
        """Return whether a form does nothing but ask for an address to send letters to."""
        span = slice(row, int(self.page.end[row]))
        fields = (np.flatnonzero(self.fields[span]) + row).tolist()
        texts = [each for each in fields if self.types.get(each) not in _TOGGLES]
        plain = all(
            self.page.tag[each] == _INPUT and self.types.get(each, "") in _SUBSCRIPTION_TYPES
            for each in texts
        )
        return (
            plain
            and 0 < len(texts) <= _MAX_SUBSCRIPTION_FIELDS
            and bool(_SUBSCRIPTION.search(self._describe(row)))
        )

    def _describe(self, row: int) -> str:
        """Return the names and the text of a form, in lower case."""
        inside = range(row, int(self.page.end[row]))
        names = [self.names[each] for each in inside if each in self.names]
        return " ".join([*names, self.page.text_of(row)]).casefold()

    def _group(self, row: int) -> int:
        """Return the box of a field without a form, with its text and button if any is near."""
        page = self.page
        best, box = row, row
        for _ in range(_MAX_LEVELS):
            box = int(page.parent[box])
            if (
                box <= 0
                or _STOPS[page.tag[box]]
                or self._words(box) > _MAX_GROUP_WORDS
                or page.end[box] - box > _MAX_GROUP_ROWS
            ):
                break
            has_text = bool((page.tag[page.leaves[self._leaves(box)]] == TEXT).any())
            if self.buttons[box : page.end[box]].any():
                return box
            if has_text and best == row:
                best = box
        return best

    def _labels(self, kept: BoolArray) -> list[int]:
        """Return the labels and buttons outside a kept form that belong to it."""
        targets = {each for row, each in self.values("id").items() if kept[row]}
        labels = [
            row
            for row, target in self.values("for").items()
            if self.page.tag[row] == _LABEL and target in targets
        ]
        parts = self.buttons | self.fields
        return labels + [
            row for row, form in self.values("form").items() if parts[row] and form in targets
        ]

    def _reached_links(self) -> list[int]:
        """Return the links to log in, log out and search, which stay reachable."""
        page = self.page
        return [
            row
            for row, address in self.values("href").items()
            if page.tag[row] == _LINK
            and _REACHED.search(address.strip().lower())
            and not self.refused[self._leaves(row)].any()
        ]

    def _is_purpose(self, boxes: list[int]) -> bool:
        """Return whether the page is there for its fields."""
        page = self.page
        aside = page.within(_ASIDE[page.tag])
        shown = (page.hidden & _NOT_SHOWN) == 0
        work = self.fields & shown & ~aside
        in_work = np.zeros(len(page), np.bool_)
        for row in boxes:
            span = slice(row, int(page.end[row]))
            if not work[span].any():
                continue
            described = " ".join(self.names.get(each, "") for each in range(row, span.stop))
            if self._is_subscription(row) or _is_other(described.casefold()):
                work[span] = False
            else:
                in_work[span] |= work[span].any()
        for row in np.flatnonzero(work & ~in_work).tolist():
            toggles = self.types.get(row) in _TOGGLES
            if toggles or _is_other(self.names.get(row, "").casefold()):
                work[row] = False
        words = int(page.leaf_words[self.keep & ~in_work[page.leaves]].sum())
        is_read = words >= ENOUGH_WORDS
        if words < _SHORT_WORDS and (self.editable & shown & ~aside).any():
            return True
        n_work = self._count(work)
        if is_read or not n_work:
            return False
        if n_work >= _MANY_WORK_FIELDS or _WORK.search(_path_of(page.url or "")):
            return True
        has_password = any(
            self.types.get(row) == "password" for row in np.flatnonzero(work).tolist()
        )
        return words < _SHORT_WORDS and (has_password or n_work >= _MIN_WORK_FIELDS)

    def _count(self, work: BoolArray) -> int:
        """Count fields; all radio buttons of one name are one field."""
        rows = np.flatnonzero(work).tolist()
        names = self.values("name")
        radios = {names.get(row, "") for row in rows if self.types.get(row) == "radio"}
        return len(radios) + sum(self.types.get(row) != "radio" for row in rows)


def _path_of(url: str) -> str:
    """Return the path of an absolute URL, in lower case."""
    return "/" + "/".join(url.lower().partition("?")[0].split("/")[3:])


def _is_other(names: str) -> bool:
    """Return whether names are those of a form that many pages have beside their content."""
    return bool(_SEARCH.search(names) or _COMMENT.search(names))
