"""Applications and shops: pages that a person works with rather than reads.

Methods find some text on them too, and what they drop beside it is what the page is for: fields,
prices, days of a calendar, switches. Articles have buttons and tables with fields as well, so no
sign is sure by itself; several together are, and the more text there is, the more are needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from thresher.deadline import watch
from thresher.document import Document
from thresher.page import Page
from thresher.page.attributes import whole
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, flags_of
from thresher.writers.shared.forms import NOT_SHOWN, read_fields

__all__ = ["is_application"]

_ENOUGH: Final = 3
"""Weight of the signs that make an application; of each by itself 1, or 2 if articles lack it."""
_WORDS_OF_SIGN: Final = 400
"""Kept words outside links for each of which the signs must weigh one more."""
_MIN_PROBABILITY: Final = 0.6
_READ: Final = frozenset(("article", "documentation", "forum"))
_FORM, _ROW, _LINK, _PRE = (CODE_OF[name] for name in "form tr a pre".split())
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
_MAX_OFFER_WORDS: Final = 150
"""Levels and words around a price within which something is chosen or pressed."""
_MIN_BUTTONS: Final = 5
_MIN_FIELDS: Final = 3
_MIN_ROWS: Final = 2
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
    if kind and kind.name in _READ and kind.probability >= _MIN_PROBABILITY:
        yield -1
    if kind and kind.name == "product":
        yield _ENOUGH if kind.probability >= _MIN_PROBABILITY else 1
    known, attributes = read_fields(page), page.attributes
    in_form = page.within(page.tag == _FORM)
    # A button beside code copies it.
    by_code = (page.subtree_sums(page.tag == _PRE) > 0)[page.parent]
    buttons = known.buttons & ~beside & ~by_code
    fields = (known.fields | known.editable) & ~beside
    roles = np.zeros(len(page), np.bool_)
    roles[attributes.row[attributes.matching("role", _ROLES)]] = True
    controls = buttons | fields | roles & ~beside
    n_control = page.subtree_sums(controls)
    if int((buttons & ~in_form).sum()) >= _MIN_BUTTONS:
        yield 1
        if n_word <= _WORDS_OF_CONTROL * int(controls.sum()):
            yield 1
    in_rows = (page.tag == _ROW) & (page.subtree_sums(buttons | fields) > 0)
    if int(in_rows.sum()) >= _MIN_ROWS:
        yield 2
    if known.count(fields & ~in_form) >= _MIN_FIELDS:
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
        named[attributes.row[attributes.matching(name, _OF_ARTICLES)]] = True
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
