"""The link list remover and the removed link retainer (section 3).

The remover finds cells with many links per word outside links:

    words = letters outside links / letters per word
    ratio = links / words

A cell is measured on the unfiltered page, as in the paper's top-down walk. The measure and the
definition of a cell are those of the method crunch (docs/algorithms/crunch.md); here text links and
image links can be distinguished, as in the authors' program.

The retainer collects the text links that any filter removes and appends them to the page, in a
collapsed list. Links in advertisements and overlays are omitted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

import numpy as np

from thresher.algorithms.crunch.filters import (
    find_cells,
    find_image_links,
    find_links,
    find_text_links,
    link_ratios,
)
from thresher.analysis.links import ADDRESS_BREAKS, clean_address
from thresher.deadline import watch
from thresher.filters.filter_context import FilterContext
from thresher.page.rows import BoolArray
from thresher.page.tags import TEXT, flags_of

_BREAKS: Final = flags_of("br hr wbr")
"""Separators of links, removed with them: without links they would leave gaps."""
_FINDERS: Final = {"text": find_text_links, "image": find_image_links}


def find_link_lists(context: FilterContext) -> BoolArray:
    """Flag the cells with more than the limit of links a word; bool[n_row].

    With ``auto``, except cells in which the method selected content: it has more evidence.
    """
    page, params = context.page, context.params
    find_counted = _FINDERS.get(context.filters.counted_links)
    counted = find_counted(page, params) if find_counted else None
    lists = find_cells(page, params) & (
        link_ratios(page, params, counted) > context.filters.max_link_ratio
    )
    if context.filters.link_lists == "auto" and context.keep is not None:
        lists &= page.subtree_sums(context.page.flag(page.leaves[context.keep])) == 0
    return lists


def list_contents(context: FilterContext, lists: BoolArray) -> BoolArray:
    """Flag what is removed if its outermost cell is a link list; bool[n_row].

    Forms in the cell are not.
    """
    page = context.page
    contents: BoolArray = page.subtree_sums(context.forms.kept) == 0
    match context.filters.removed_content:
        case "links":
            contents &= (page.tag == TEXT) | _BREAKS[page.tag] | page.within(find_links(page))
        case "all":
            contents &= ~lists | page.below(lists)
    return contents


_SPACES: Final = "".join(map(chr, range(0x21)))
"""Characters that browsers drop at the ends of an address (URL Standard, 4.4)."""
_SCHEME: Final = re.compile(r"\s*([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_FOLLOWED: Final = frozenset(("http", "https"))


class RemovedLink(NamedTuple):
    """A link that was removed."""

    text: str
    """Its text in one line; never empty."""
    url: str
    """Its address as in the page, so it may be relative to the page's base."""


def find_removed_links(
    context: FilterContext, removed: BoolArray, unwanted: BoolArray
) -> tuple[RemovedLink, ...]:
    """List the removed text links, without duplicates of text and address.

    Links within the page, to scripts and to mailboxes are omitted. If the tracking filter is on,
    addresses are without tracking. bool[n_row] both.
    """
    page = context.page
    is_link = find_links(page)
    gone = is_link & removed & ~unwanted & ~page.below(is_link)
    rows = np.flatnonzero(gone & (page.chars_before[page.end] > page.chars_before[:-1]))
    text, offset = page.text, page.text_offset
    spans = zip(rows.tolist(), offset[rows].tolist(), offset[page.end[rows]].tolist(), strict=True)
    addresses = context.values("href")
    clean = context.filters.tracking_parameters
    links: dict[RemovedLink, None] = {}
    for row, start, stop in watch(spans):
        # Inside a scheme or before it they would hide it.
        url = ADDRESS_BREAKS.sub("", addresses[row]).strip(_SPACES)
        if _is_followed(url):
            url = (clean_address(url) or "?") if clean else url
            links[RemovedLink(" ".join(text[start:stop].split()), url)] = None
    return tuple(links)


def list_links(links: Sequence[RemovedLink], title: str, max_links: int) -> str:
    """Return the list as markup, with its title and number; empty without links."""
    if not links:
        return ""
    items = "".join(
        f'<li><a href="{escape(link.url)}">{escape(link.text)}</a></li>'
        for link in links[:max_links]
    )
    head = escape(f"{title} ({len(links)})")
    return (
        f'<details data-thresher="removed-links"><summary>{head}</summary>'
        f"<ul>{items}</ul></details>"
    )


def _is_followed(url: str) -> bool:
    if not url or url[0] == "#":
        return False
    scheme = _SCHEME.match(url)
    return scheme is None or scheme[1].lower() in _FOLLOWED
