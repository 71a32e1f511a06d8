"""Video, audio and frames, written as links to what they show."""

from __future__ import annotations

import re
from html import escape
from typing import Final
from urllib.parse import unquote

from thresher.analysis.companions import ADDRESSES
from thresher.analysis.links import resolve_link
from thresher.page import Page
from thresher.page.tags import AMP, CODE_OF
from thresher.support.late import compile_late
from thresher.writers.fragment.embeds import find_viewer_url
from thresher.writers.fragment.images import is_pixel

__all__ = ["link_media"]

_OWN: Final = tuple(CODE_OF[name] for name in ("amp-audio", "amp-video", "audio", "video"))
_VIDEO_ID: Final = re.compile(r"[\w-]+")
_VIDEO_OF: Final = {
    CODE_OF["amp-dailymotion"]: "https://www.dailymotion.com/video/",
    CODE_OF["amp-vimeo"]: "https://vimeo.com/",
    CODE_OF["amp-youtube"]: "https://www.youtube.com/watch?v=",
}
"""Players of AMP → what precedes the video's name in its address."""
_FILE: Final = re.compile(r"/([^/?#]+\.\w{2,4})(?:[?#]|$)")
"""The name of a file at the end of an address."""
_SOURCE: Final = CODE_OF["source"]
_LABELS: Final = ("title", "aria-label")
_ORNAMENT: Final = compile_late(
    r"//(?:[\w.-]+\.)?(?:doubleclick\.net|googlesyndication\.com|googletagmanager\.com"
    r"|amazon-adsystem\.com|adnxs\.com|taboola\.com|outbrain\.com|addthis\.com|criteo\.com"
    r"|facebook\.com/plugins/(?!video|post)|platform\.twitter\.com/widgets"
    r"|platform\.x\.com/widgets|google\.com/recaptcha|apis\.google\.com/u/)",
    re.IGNORECASE,
)
"""Addresses of advertisements, counters and buttons, from general knowledge."""
_WEB: Final = re.compile(r"https?://", re.IGNORECASE)


def link_media(page: Page, row: int, base: str | None) -> str:
    """Return a link, as markup, to what an embedding element shows; "" if it shows nothing."""
    attrs = page.attrs(row)
    if is_pixel(attrs) and not AMP[page.tag[row]]:
        return ""
    urls = [attrs.get(name, "") for name in ADDRESSES]
    player = _VIDEO_OF.get(int(page.tag[row]))
    if player and _VIDEO_ID.fullmatch(video := attrs.get("data-videoid", "")):
        urls.append(player + video)
    urls += [page.attr(child, "src") or "" for child in _sources(page, row)]
    for address in (resolve_link(url, base) for url in urls if url.strip()):
        if _WEB.match(address) and not _ORNAMENT.search(address):
            target = find_viewer_url(address)
            given = [attrs.get(name, "").strip() for name in _LABELS]
            file = _FILE.search(target) if page.tag[row] in _OWN else None
            label = next(filter(None, given), unquote(file[1]) if file else target)
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
