"""Controls of the content: tabs, switches and summaries that show parts of it, and its next page.

Their words are no content, so methods drop them; but without them a person cannot get to a part
that a style sheet or a script hides until it is asked for, nor to the rest of an article or list
that goes on at another address. Buttons of menus control nothing that is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from thresher.analysis.links import find_base, resolve_link
from thresher.analysis.pagination import find_next_url
from thresher.filters.filter_context import BoolArray
from thresher.page import Page
from thresher.page.tags import CODE_OF, TEXT, flags_of

_LABEL, _INPUT, _SUMMARY = (CODE_OF[name] for name in ("label", "input", "summary"))
_LINK: Final = CODE_OF["a"]
_DETAILS: Final = CODE_OF["details"]
_ASIDE: Final = flags_of("aside footer header nav")
_MAX_DETAILS_LINK_SHARE: Final = 0.5
"""Share of words in links above which a `details` element is a menu."""
_MAX_PAGER_WORDS: Final = 30
"""Words of a box around the link to the next page up to which it is a row of page numbers."""
_PAGER_SIGNS: Final = (
    ("rel", (b"next",), rb"\bnext\b"),
    ("class", (b"pag",), rb"pager|pagina|page-?nav|page-?num|wp-link-pages"),
    (
        "href",
        (b"page", b"p=", b"pg=", b"start=", b"offset="),
        rb"[?&;](?:p|pg|page|paged|start|offset)=[0-9]|/page[-/]?[0-9]",
    ),
)
"""Attributes with parts of values and patterns, of which pages with a pager have one; every match
has one of the parts. Looking closer takes 2 ms."""
_WHOLE_PAGE: Final = flags_of("html body main article")
"""An input right in one of these switches a menu or a theme."""


def keep_controls(page: Page, keep: BoolArray) -> BoolArray:
    """Return the selected leaves, bool[n_leaf], with those of controls of selected content."""
    if not keep.any():
        return keep
    kept = np.zeros(len(page), np.bool_)
    kept[page.leaves[keep]] = True
    has_kept = page.subtree_sums(kept) > 0
    controls = [row for row, shown in _find_controls(page) if has_kept[shown]]
    controls += _find_details(page, has_kept)
    controls += _find_pagers(page)
    if not controls:
        return keep
    flags = np.zeros(len(page), np.bool_)
    flags[controls] = True
    extended: BoolArray = keep | page.within(flags)[page.leaves]
    return extended


def _find_controls(page: Page) -> Iterator[tuple[int, int]]:
    """Yield each control with an element that contains what it shows."""
    values = page.attributes.values
    for row in np.flatnonzero(page.tag == _SUMMARY).tolist():
        yield row, int(page.parent[row])
    controlled = values("aria-controls")
    labelled = {row: name for row, name in values("for").items() if page.tag[row] == _LABEL}
    tabs = [row for row, role in values("role").items() if role.strip().lower() == "tab"]
    if not (controlled or labelled or tabs):
        return
    row_of = {name: row for row, name in reversed(values("id").items())}
    for row, names in controlled.items():
        yield from ((row, row_of[name]) for name in names.split() if name in row_of)
    addresses = values("href") if tabs else {}
    for row in tabs:
        place = row_of.get(addresses.get(row, "").removeprefix("#"))
        if place is not None:
            yield row, place
    types = values("type")
    for row, name in labelled.items():
        field = row_of.get(name.strip())
        if field is None or page.tag[field] != _INPUT:
            continue
        around = int(page.parent[field])
        if (
            types.get(field, "").lower() in ("radio", "checkbox")
            and not _WHOLE_PAGE[page.tag[around]]
        ):
            yield row, around


def _find_details(page: Page, has_kept: BoolArray) -> Iterator[int]:
    """Yield the `details` elements that go on a text: right after something kept, in its box.

    Methods may take an example or a question for less than the text that it follows; a person who
    sees it closed decides. Menus, which have links, and what is beside the text are none.
    """
    rows = np.flatnonzero(page.tag == _DETAILS)
    if not rows.size:
        return
    aside = page.within(_ASIDE[page.tag])
    goes_on = np.zeros(len(page), np.bool_)
    for row in rows.tolist():
        before = _previous_element(page, row)
        if before < 0 or aside[row] or not (has_kept[before] or goes_on[before]):
            continue
        n_link_word = page.link_words_before[page.end[row]] - page.link_words_before[row]
        if n_link_word <= _MAX_DETAILS_LINK_SHARE * page.subtree_words[row]:
            goes_on[row] = True
            yield row


def _previous_element(page: Page, row: int) -> int:
    """Return the row of the element before another one in the same parent; −1 for none."""
    parent = int(page.parent[row])
    at = row - 1
    while at > parent:
        # From the last row within the sibling to the sibling itself.
        while page.parent[at] != parent:
            at = int(page.parent[at])
        if page.tag[at] != TEXT:
            return at
        at -= 1
    return -1


def _find_pagers(page: Page) -> Iterator[int]:
    """Yield the links to the next page, each with the row of page numbers that it is in."""
    attributes = page.attributes
    if not any(
        any(map(attributes.search(name).has, parts)) and attributes.matching(name, pattern).size
        for name, parts, pattern in _PAGER_SIGNS
    ):
        return
    target = find_next_url(page)
    if target is None:
        return
    base = find_base(page)
    for row, address in page.attributes.values("href").items():
        if page.tag[row] != _LINK or resolve_link(address, base).partition("#")[0] != target:
            continue
        at = row
        while (
            page.subtree_words[page.parent[at]] <= _MAX_PAGER_WORDS
            and not _WHOLE_PAGE[page.tag[page.parent[at]]]
        ):
            at = int(page.parent[at])
        yield at
