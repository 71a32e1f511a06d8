"""What Word writes into the pages that it saves, instead of elements of HTML.

The title is a paragraph of the class `MsoTitle`. The items of lists are paragraphs that begin with
their bullet or number, at a level of a list (`mso-list: l0 level2 lfo1`). Comments are links to the
end of the page. Pages saved as "filtered" have classes alone. Mails of Outlook have the same. Some
other systems have such titles, too.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np

from thresher.page import Page
from thresher.page.parts import CLASS_PARTS, STYLE_PARTS, SYSTEM_PARTS
from thresher.page.tags import CODE_OF
from thresher.support.cached import cached_view
from thresher.support.late import compile_late

_A, _DIV, _P = CODE_OF["a"], CODE_OF["div"], CODE_OF["p"]
_CLASSES, _STYLES = CLASS_PARTS.bits(b"mso"), STYLE_PARTS.bits(b"mso-")
"""One of these is in the classes or styles of every such page."""
_TITLE: Final = rb"(?<![\w-])msotitle(?![\w-])"
_BY_CLASS: Final = (
    (SYSTEM_PARTS.bits(b"doc-content"), _P, rb"(?<![\w-])title(?![\w-])"),
    (SYSTEM_PARTS.bits(b"headertitle"), _DIV, rb"(?<![\w-])title(?![\w-])"),
    (SYSTEM_PARTS.bits(b"componenthead"), _DIV, rb"(?<![\w-])componentheading(?![\w-])"),
)
"""Signs of Google Docs, Doxygen and old Joomla, and the element and class of their titles."""
_SIGNS: Final = np.bitwise_or.reduce([sign for sign, *_ in _BY_CLASS])
_ITEM_CLASS: Final = rb"(?<![\w-])msolistparagraph"
_ITEM_STYLE: Final = rb"mso-list\s*:\s*l\d+\s+level\d"
_LEVEL: Final = compile_late(r"mso-list\s*:\s*l\d+\s+level(\d)", re.IGNORECASE)
_MARKER_END: Final = (rb"mso-list\s*:\s*ignore", rb"font\s*:\s*7(?:\.0)?pt")
"""Styles of the marker, and of the space behind it, which is all that filtered pages have."""
_MAX_MARKER: Final = 12
_COMMENT_LINK: Final = rb"#_msocom_\d"
_COMMENTS: Final = rb"mso-element\s*:\s*comment"


class WordItem(NamedTuple):
    """A paragraph that is an item of a list."""

    row: int
    level: int
    """From 1."""
    marker: str
    """The bullet or number that it begins with."""
    leaves: range
    """The leaves of the marker."""


class WordComments(NamedTuple):
    """The comments of a reviewer, which are not part of the text."""

    links: list[int]
    """The rows of their links in the text."""
    texts: list[int]
    """The rows of the elements that hold them."""


NO_COMMENTS: Final = WordComments([], [])


@cached_view
def _is_signed(page: Page) -> bool:
    attributes = page.attributes
    return bool(attributes.class_parts & _CLASSES) or attributes.styled(_STYLES).size > 0


def find_title(page: Page) -> int:
    """Return the row of the element that is the title, though it is no heading; 0 for none.

    Word's, and that of some systems whose pages are read alike.
    """
    attributes = page.attributes
    if _is_signed(page):
        tag, title = _P, _TITLE
    else:
        parts = attributes.system_parts
        if not (parts and parts & _SIGNS):
            return 0  # as most
        tag, title = next((tag, name) for sign, tag, name in _BY_CLASS if parts & sign)
    rows = attributes.rows_matching("class", title, of=page.tag == tag)
    rows = rows[page.has_text(rows)]
    return int(rows[0]) if rows.size else 0


@cached_view
def find_items(page: Page) -> list[WordItem]:
    """Return the paragraphs that are items of lists, in order."""
    if not _is_signed(page):
        return []
    attributes, is_p = page.attributes, page.tag == _P
    classed = attributes.rows_matching("class", _ITEM_CLASS, of=is_p)
    styled = attributes.rows_matching("style", _ITEM_STYLE, of=is_p)
    flags = page.flag(np.concatenate((classed, styled)))
    ends = attributes.rows_matching("style", *_MARKER_END)
    ends = ends[np.argsort(page.end[ends], kind="stable")]
    items: dict[int, WordItem] = {}
    for end, row in zip(ends.tolist(), page.nearest(flags)[ends].tolist(), strict=True):
        if row < 0 or row in items:
            continue
        leaves = range(int(page.leaf_offset[row]), int(page.leaf_offset[page.end[end]]))
        marker = "".join(map(page.leaf_text, leaves[:_MAX_MARKER])).strip()
        if 0 < len(marker) <= _MAX_MARKER and len(leaves) <= _MAX_MARKER:
            level = _LEVEL.search(page.attr(row, "style") or "")
            items[row] = WordItem(row, max(int(level[1]), 1) if level else 1, marker, leaves)
    return [items[row] for row in sorted(items)]


def find_comments(page: Page) -> WordComments:
    """Return the comments of a page."""
    if not _is_signed(page):
        return NO_COMMENTS
    attributes = page.attributes
    links = attributes.rows_matching("href", _COMMENT_LINK, of=page.tag == _A)
    texts = attributes.rows_matching("style", _COMMENTS)
    return WordComments(links.tolist(), texts.tolist())
