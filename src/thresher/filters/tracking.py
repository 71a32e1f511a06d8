"""What follows readers around: pictures nobody sees, and addresses that count clicks.

These filters are today's. Of pictures, size and site decide: pages of 2003 are held in shape by
invisible pictures of their own site.
"""

from __future__ import annotations

import re
from typing import Final

from thresher.analysis.tracking import clean_address
from thresher.filters.case import BoolArray, Case
from thresher.filters.hosts import host_of, is_same_site
from thresher.page.tags import flags_of

__all__ = ["clean_links", "find_pixels"]

_SEEN_THROUGH: Final = flags_of("img iframe embed object")
_LINKS: Final = flags_of("a area")
_LENGTH: Final = re.compile(r"\s*(\d{1,6})(?:\.\d*)?\s*(?:px\s*)?", re.IGNORECASE)
_STYLED: Final = re.compile(
    r"(?<![\w-])(width|height)\s*:\s*(\d{1,6})(?:\.\d*)?(?:px)?\s*(?:!\s*important\s*)?(?:;|$)",
    re.IGNORECASE,
)


def find_pixels(case: Case) -> BoolArray:
    """Flag invisible pictures and frames that tell another site of the visit; bool[n_row].

    Both sides are no longer than the setting. One of the page's own site must have a query, which
    no picture that holds a layout in shape has.
    """
    page = case.page
    sizes: dict[int, dict[str, int]] = {}
    for name in ("width", "height"):
        for row, value in case.values(name).items():
            if length := _LENGTH.fullmatch(value):
                sizes.setdefault(row, {})[name] = int(length[1])
    for row, style in case.values("style").items():
        if _SEEN_THROUGH[page.tag[row]]:
            for name, length in _STYLED.findall(style):
                sizes.setdefault(row, {})[name.lower()] = int(length)
    sources = case.values("data") | case.values("src")
    limit = case.filters.pixel_size
    rows = [
        row
        for row, size in sizes.items()
        if _SEEN_THROUGH[page.tag[row]]
        and len(size) == len(("width", "height"))
        and max(size.values()) <= limit
        and _tells(sources.get(row, ""), case.host)
    ]
    return case.flag(rows)


def clean_links(case: Case) -> dict[int, dict[str, str | None]]:
    """Return row → attributes to set, or with None to take, so that links count no clicks."""
    page = case.page
    edits: dict[int, dict[str, str | None]] = {}
    for row, address in case.values("href").items():
        if _LINKS[page.tag[row]] and (clean := clean_address(address)) != address:
            # A query that was nothing else: an empty address would keep that of the page.
            edits[row] = {"href": clean or "?"}
    for row in case.rows_with("ping").tolist():
        if _LINKS[page.tag[row]]:
            edits.setdefault(row, {})["ping"] = None
    return edits


def _tells(address: str, page_host: str | None) -> bool:
    host = host_of(address)
    if host is None or is_same_site(host, page_host):
        return "?" in address and not address.lstrip().lower().startswith("data:")
    return True
