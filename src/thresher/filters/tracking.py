"""Filters of tracking pixels and click-tracking addresses.

These filters are not in the paper. Pixels are recognised by size and site: pages of 2003 use
invisible images of their own site for layout.
"""

from __future__ import annotations

import re
from typing import Final

from thresher.algorithms.crunch.ads import host_of
from thresher.analysis.links import clean_address
from thresher.filters.filter_context import BoolArray, FilterContext
from thresher.filters.hosts import is_same_site
from thresher.page.tags import flags_of

__all__ = ["clean_links", "find_pixels"]

_SEEN_THROUGH: Final = flags_of("img iframe embed object")
_LINKS: Final = flags_of("a area")
_LENGTH: Final = re.compile(r"\s*(\d{1,6})(?:\.\d*)?\s*(?:px\s*)?", re.IGNORECASE)
_STYLED: Final = re.compile(
    r"(?<![\w-])(width|height)\s*:\s*(\d{1,6})(?:\.\d*)?(?:px)?\s*(?:!\s*important\s*)?(?:;|$)",
    re.IGNORECASE,
)


def find_pixels(context: FilterContext) -> BoolArray:
    """Flag invisible images and frames that report the visit to another site; bool[n_row].

    Width and height are at most the setting. An image of the page's own site must have a query,
    which images used for layout do not have.
    """
    page = context.page
    sizes: dict[int, dict[str, int]] = {}
    for name in ("width", "height"):
        for row, value in context.values(name).items():
            if length := _LENGTH.fullmatch(value):
                sizes.setdefault(row, {})[name] = int(length[1])
    for row, style in context.values("style").items():
        if _SEEN_THROUGH[page.tag[row]]:
            for name, length in _STYLED.findall(style):
                sizes.setdefault(row, {})[name.lower()] = int(length)
    sources = context.values("data") | context.values("src")
    limit = context.filters.pixel_size
    rows = [
        row
        for row, size in sizes.items()
        if _SEEN_THROUGH[page.tag[row]]
        and len(size) == len(("width", "height"))
        and max(size.values()) <= limit
        and _tells(sources.get(row, ""), context.host)
    ]
    return context.flag(rows)


def clean_links(context: FilterContext) -> dict[int, dict[str, str | None]]:
    """Return row → attributes to set, or to remove if None, so that links track no clicks."""
    page = context.page
    edits: dict[int, dict[str, str | None]] = {}
    for row, address in context.values("href").items():
        if _LINKS[page.tag[row]] and (clean := clean_address(address)) != address:
            # The query had only tracking parameters: an empty address would keep the page's query.
            edits[row] = {"href": clean or "?"}
    for row in context.rows_with("ping").tolist():
        if _LINKS[page.tag[row]]:
            edits.setdefault(row, {})["ping"] = None
    return edits


def _tells(address: str, page_host: str | None) -> bool:
    host = host_of(address)
    if host is None or is_same_site(host, page_host):
        return "?" in address and not address.lstrip().lower().startswith("data:")
    return True
