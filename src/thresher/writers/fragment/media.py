"""Video, audio and frames, written as links to what they show."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from thresher.analysis.links import resolve_link
from thresher.page import Page
from thresher.page.tags import CODE_OF, flags_of
from thresher.writers.fragment.embeds import find_viewer_url
from thresher.writers.fragment.images import is_pixel

__all__ = ["MEDIA", "link_media"]

MEDIA: Final = flags_of("audio embed iframe object video")
_SOURCE: Final = CODE_OF["source"]
_URL_ATTRIBUTES: Final = ("src", "data-src", "data", "data-lazy-src", "data-cookieblock-src")
_LABELS: Final = ("title", "aria-label")
_WEB: Final = re.compile(r"https?://", re.IGNORECASE)


def link_media(page: Page, row: int, base: str | None) -> str:
    """Return a link, as markup, to what an embedding element shows; "" if it shows nothing."""
    attrs = page.attrs(row)
    if is_pixel(attrs):
        return ""
    urls = [attrs.get(name, "") for name in _URL_ATTRIBUTES]
    urls += [page.attr(child, "src") or "" for child in _sources(page, row)]
    for address in (resolve_link(url, base) for url in urls if url.strip()):
        if _WEB.match(address):
            target = find_viewer_url(address)
            label = next(filter(None, (attrs.get(name, "").strip() for name in _LABELS)), target)
            return f'<a href="{escape(target)}">{escape(label)}</a>'
    return ""


def _sources(page: Page, row: int) -> list[int]:
    """Return the `<source>` children of a row that precede anything else."""
    sources = []
    child = row + 1
    while child < page.end[row] and page.tag[child] in (_SOURCE, 0):
        if page.tag[child] == _SOURCE:
            sources.append(child)
        child = int(page.end[child])
    return sources
