"""Pages that are left alone: portals, search results, forms, and applications or shops.

Crunch strips a portal to nothing; its authors were looking for a way to leave such pages untouched
(Gupta et al. 2003, section 4.1). Here the method's verdict decides, and for methods without
verdicts, the amount of text outside links.

Applications and shops are pages that a person works with rather than reads. Methods find some text
on them too, and what they drop beside it is what the page is for: fields, prices, days of a
calendar, switches. Articles have buttons and tables with fields as well, so no sign is sure by
itself; several together are, and the more text there is, the more are needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from thresher.algorithms.crunch.params import Params
from thresher.deadline import watch
from thresher.document import Document, Verdict
from thresher.page import Page
from thresher.page.attributes import whole
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, flags_of
from thresher.writers.fragment.posts import find_shown_posts
from thresher.writers.shared.forms import NOT_SHOWN, find_forms, read_fields

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
"""Minimum number of words outside links, as in the method crunch."""


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


_ENOUGH: Final = 3
"""Weight of the signs that make an application; of each by itself 1, or 2 if articles lack it."""
_WORDS_OF_SIGN: Final = 400
"""Kept words outside links for each of which the signs must weigh one more."""
_MIN_READ_PROBABILITY: Final = 0.6
_READ_TYPES: Final = frozenset(("article", "documentation", "forum"))
_FORM_TAG, _ROW, _LINK, _PRE = (CODE_OF[name] for name in "form tr a pre".split())
_ASIDE: Final = flags_of("dialog footer header nav")
_HEADS: Final = flags_of("footer header")
_MENUS: Final = flags_of("aside nav")
_WHOLE: Final = flags_of("html body")
_ROLES: Final = whole(
    rb"application|grid|gridcell|menubar|radiogroup|slider|spinbutton|switch|tablist|toolbar|tree"
    rb"|treegrid"
)
_OF_ARTICLES: Final = (
    rb"(?<![a-z])(?:accordion|ads?|carousel|clipboard|collapse\w*|comments?|consent|cookies?"
    rb"|copy\w*|disqus|faq|hamburger|like|menu|modal|nav|navbar|newsletter|player|post-?actions?"
    rb"|reaction\w*|recommend\w*|related|reply|respond|search|share|sharing|sidebar|slick\w*"
    rb"|slider|social\w*|subscrib\w*|swiper\w*|toc|toggle|video\w*|vote\w*)(?![a-z])"
)
"""Names of what has buttons and fields on pages that are read."""
_WRAPPER_SHARE: Final = 0.5
"""Share of the page's words from which an element with such a name is a wrapper of the page."""
_PRICE: Final = re.compile(
    r"(?:[$€£¥₹]|\b(?:kr|usd|eur|gbp|chf|zł|Kč))\s?\d"
    r"|\d[\d.,]{0,12}\s?(?:[€£₽]|(?:kr|zł|Kč|eur|usd|chf)\b)",
    re.IGNORECASE,
)
_MAX_PRICE_WORDS: Final = 6
_MAX_PRICES: Final = 2000
"""Short texts among which a price is searched."""
_PRICE_LEVELS: Final = 5
"""Levels above a price within which something is chosen or pressed."""
_MAX_OFFER_WORDS: Final = 150
"""Words of an element around a price with what is chosen or pressed."""
_MIN_BUTTONS: Final = 5
_MIN_FIELDS: Final = 3
_MIN_FIELD_ROWS: Final = 2
_MIN_SIBLINGS: Final = 6
_MIN_MENU_LINKS: Final = 4
_WORDS_OF_CONTROL: Final = 20


def is_application(document: Document) -> bool:
    """Return whether signs of an application or a shop outweigh the text of a page."""
    page = document.page
    words = page.leaf_words - page.leaf_link_words
    n_word = int(words[document.selection.keep].sum())
    enough = _ENOUGH + n_word // _WORDS_OF_SIGN
    beside = page.within(_ASIDE[page.tag]) | ((page.hidden & NOT_SHOWN) != 0)
    # Names take longest to read, and can only take signs away.
    return sum(_weigh_signs(document, n_word, beside)) >= enough and (
        sum(_weigh_signs(document, n_word, beside | _find_named(page))) >= enough
    )


def _weigh_signs(document: Document, n_word: int, beside: BoolArray) -> Iterator[int]:
    """Yield the weight of each sign on the page.

    ``n_word`` are the kept words outside links; ``beside`` flags what does not count, bool[n_row].
    """
    page, kind = document.page, document.page_type
    if kind and kind.name in _READ_TYPES and kind.probability >= _MIN_READ_PROBABILITY:
        yield -1
    if kind and kind.name == "product":
        yield _ENOUGH if kind.probability >= _MIN_READ_PROBABILITY else 1
    form_fields, attributes = read_fields(page), page.attributes
    in_form = page.within(page.tag == _FORM_TAG)
    # A button beside code copies it.
    by_code = (page.subtree_sums(page.tag == _PRE) > 0)[page.parent]
    buttons = form_fields.buttons & ~beside & ~by_code
    fields = (form_fields.fields | form_fields.editable) & ~beside
    roles = page.flag(attributes.rows_matching("role", _ROLES))
    controls = buttons | fields | roles & ~beside
    n_control = page.subtree_sums(controls)
    if int((buttons & ~in_form).sum()) >= _MIN_BUTTONS:
        yield 1
        if n_word <= _WORDS_OF_CONTROL * int(controls.sum()):
            yield 1
    in_rows = (page.tag == _ROW) & (page.subtree_sums(buttons | fields) > 0)
    if int(in_rows.sum()) >= _MIN_FIELD_ROWS:
        yield 2
    if form_fields.count(fields & ~in_form) >= _MIN_FIELDS:
        yield 2
    siblings = page.parent[(n_control > 0) & ~_WHOLE[page.tag]]
    if np.bincount(siblings[siblings >= 0], minlength=1).max() >= _MIN_SIBLINGS:
        yield 1
    if (roles & ~beside).any():
        yield 1
    if _has_offer(page, n_control, beside):
        yield 2
    menus = _MENUS[page.tag] & ~page.within(_HEADS[page.tag])
    if (page.subtree_sums(page.tag == _LINK)[menus] >= _MIN_MENU_LINKS).any():
        yield 1


def _find_named(page: Page) -> BoolArray:
    """Flag what has the name of a part of pages that are read; bool[n_row]."""
    attributes = page.attributes
    named = np.zeros(len(page), np.bool_)
    for name in ("class", "id", "aria-label"):
        named[attributes.rows_matching(name, _OF_ARTICLES)] = True
    named &= page.subtree_words <= _WRAPPER_SHARE * int(page.words_before[-1])
    return page.within(named)


def _has_offer(page: Page, n_control: np.ndarray, beside: BoolArray) -> bool:
    """Return whether a price stands near something to choose or to press."""
    short = (page.leaf_words > 0) & (page.leaf_words <= _MAX_PRICE_WORDS) & ~beside[page.leaves]
    leaves = np.flatnonzero(short)[:_MAX_PRICES]
    rows = page.leaves[leaves].tolist()
    for row, text in watch(zip(rows, page.leaf_texts(leaves), strict=True)):
        if not _PRICE.search(text):
            continue
        at = row
        for _ in range(_PRICE_LEVELS):
            at = int(page.parent[at])
            if at <= 0 or page.subtree_words[at] > _MAX_OFFER_WORDS:
                break
            if n_control[at]:
                return True
    return False
