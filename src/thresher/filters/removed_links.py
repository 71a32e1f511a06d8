"""The removed link retainer (section 3): lists removed text links at the end of the page.

It collects the text links that any filter removes and appends them to the page, in a collapsed
list. Links in advertisements and overlays are omitted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

import numpy as np

from thresher.analysis.links import ADDRESS_BREAKS, clean_address
from thresher.deadline import watch
from thresher.filters.filter_context import BoolArray, FilterContext

__all__ = ["RemovedLink", "find_removed_links", "list_links"]

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
    gone = context.links & removed & ~unwanted & ~page.below(context.links)
    rows = np.flatnonzero(gone & (page.chars_before[page.end] > page.chars_before[:-1]))
    addresses = context.values("href")
    clean = context.filters.tracking_parameters
    # A page has hundreds of links; only distinct ones are worth checking.
    found = dict.fromkeys(
        RemovedLink(
            " ".join(page.text_of(row).split()),
            # Inside a scheme or before it they would hide it.
            ADDRESS_BREAKS.sub("", addresses[row]).strip(_SPACES),
        )
        for row in watch(rows.tolist())
    )
    followed = [link for link in found if _is_followed(link.url)]
    if clean:
        cleaned = (link._replace(url=clean_address(link.url) or "?") for link in followed)
        return tuple(dict.fromkeys(cleaned))
    return tuple(followed)


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
