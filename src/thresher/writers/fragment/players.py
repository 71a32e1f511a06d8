"""Video, audio and frames: links to what they show."""

from __future__ import annotations

import re
from html import escape
from typing import Final
from urllib.parse import unquote

import numpy as np

from thresher.analysis.companions import ADDRESSES
from thresher.analysis.links import find_base, resolve_link
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.hidden import Hidden
from thresher.page.scan import IntArray
from thresher.page.tags import AMP, CODE_OF, TEXT
from thresher.support.late import compile_late
from thresher.writers.fragment.images import is_pixel

_SOURCE: Final = CODE_OF["source"]
_NOSCRIPT: Final = np.uint8(Hidden.NOSCRIPT)

# -- addresses of players ----------------------------------------------------------------------

_VIEWERS: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(rf"https?://{embedded}", re.IGNORECASE), address)
    for embedded, address in (
        (
            r"(?:www\.)?youtube(?:-nocookie)?\.com/embed/videoseries\?(?:.*&)?list=([\w-]+)",
            r"https://www.youtube.com/playlist?list=\1",
        ),
        (
            r"(?:www\.)?youtube(?:-nocookie)?\.com/(?:embed|v)/([\w-]{11})(?![^?&/#])",
            r"https://www.youtube.com/watch?v=\1",
        ),
        (
            r"player\.vimeo\.com/video/(\d+)\?(?:.*&)?h=([0-9a-f]+)(?![^&#])",
            r"https://vimeo.com/\1/\2",
        ),
        (r"player\.vimeo\.com/video/(\d+)(?![^?#])", r"https://vimeo.com/\1"),
        (
            r"(?:www\.)?dailymotion\.com/embed/video/(\w+)(?![^?#])",
            r"https://www.dailymotion.com/video/\1",
        ),
        (
            r"platform\.(?:twitter|x)\.com/embed/[\w.]+\?(?:.*&)?id=(\d+)(?![^&#])",
            r"https://x.com/i/status/\1",
        ),
        (
            r"(?:www\.)?instagram\.com/(p|reel|tv)/([\w-]+)/embed(?![^/?#])",
            r"https://www.instagram.com/\1/\2/",
        ),
        (r"open\.spotify\.com/embed/(\w+)/(\w+)(?![^?#])", r"https://open.spotify.com/\1/\2"),
        (r"embed\.ted\.com/talks/(?:lang/[\w-]+/)?([\w-]+)", r"https://www.ted.com/talks/\1"),
        (r"codepen\.io/([\w-]+)/embed/(?:preview/)?(\w+)", r"https://codepen.io/\1/pen/\2"),
    )
)
"""Embedding URL (as the services' own "embed" buttons write it) → URL a reader can open."""
_NAMED: Final = compile_late(
    r"https?://(?:w\.soundcloud\.com/player/?\?(?:.*&)?url"
    r"|www\.facebook\.com/plugins/(?:video|post)\.php\?(?:.*&)?href"
    r"|[^/]+/(?:media/oembed|embed/(?:twitter|vimeo|youtube))\?(?:.*&)?url)=([^&#]+)",
    re.IGNORECASE,
)
"""Players whose URL contains the address to play."""
_PLAYED: Final = re.compile(r"https?://(?!api\.)[^\s/]", re.IGNORECASE)
"""Addresses that a browser can open; SoundCloud's players may name one for programs."""


def find_viewer_url(url: str) -> str:
    """Return the viewable page for an embedding URL; the URL itself if no rule applies."""
    for pattern, address in _VIEWERS:
        if match := pattern.match(url):
            return match.expand(address)
    if (match := _NAMED.match(url)) and _PLAYED.match(target := unquote(match[1])):
        return target
    return url


# -- links to video, audio and frames ----------------------------------------------------------

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
_LABELS: Final = ("title", "aria-label")
_OF_PLAYERS: Final = frozenset(("YouTube video player", "vimeo-player"))
"""Titles that the code for embedding a player has for every video."""
_ORNAMENT: Final = compile_late(
    r"//(?:[\w.-]+\.)?(?:doubleclick\.net|googlesyndication\.com|googletagmanager\.com"
    r"|amazon-adsystem\.com|adnxs\.com|taboola\.com|outbrain\.com|addthis\.com|criteo\.com"
    r"|facebook\.com/plugins/(?!video|post)|platform\.twitter\.com/widgets"
    r"|platform\.x\.com/widgets|google\.com/recaptcha|apis\.google\.com/u/)",
    re.IGNORECASE,
)
"""Addresses of advertisements, counters and buttons, from general knowledge."""
_WEB_ADDRESS: Final = re.compile(r"https?://", re.IGNORECASE)


def link_media(page: Page, rows: IntArray) -> dict[int, str]:
    """Return row → link, as markup, for the embedding elements among ``rows`` that show something.

    Without those in `<noscript>` that repeat the one before, which a script loads.
    """
    links: dict[int, str] = {}
    base, before = find_base(page), ""
    for row in watch(rows.tolist()):
        if link := _link(page, row, base):
            opening = link.partition(">")[0]
            if opening != before or not page.hidden[row] & _NOSCRIPT:
                links[row] = link
            before = opening
    return links


def _link(page: Page, row: int, base: str | None) -> str:
    """Return a link, as markup, to what an embedding element shows; "" if it shows nothing."""
    attrs = page.attrs(row)
    if (is_pixel(attrs) and not AMP[page.tag[row]]) or _decorates(attrs):
        return ""
    urls = [attrs.get(name, "") for name in ADDRESSES]
    player = _VIDEO_OF.get(int(page.tag[row]))
    if player and _VIDEO_ID.fullmatch(video := attrs.get("data-videoid", "")):
        urls.append(player + video)
    urls += [page.attr(child, "src") or "" for child in _sources(page, row)]
    for address in (resolve_link(url, base) for url in urls if url.strip()):
        if _WEB_ADDRESS.match(address) and not _ORNAMENT.search(address):
            target = find_viewer_url(address)
            given = [attrs.get(name, "").strip() for name in _LABELS]
            given = [label for label in given if label not in _OF_PLAYERS]
            file = _FILE.search(target) if page.tag[row] in _OWN else None
            label = next(filter(None, given), unquote(file[1]) if file else target)
            return f'<a href="{escape(target)}">{escape(label)}</a>'
    return ""


def _decorates(attrs: dict[str, str]) -> bool:
    """Return whether a video runs by itself, without sound or controls, over and over."""
    return {"autoplay", "loop", "muted"} <= attrs.keys() and "controls" not in attrs


def _sources(page: Page, row: int) -> list[int]:
    """Return the `<source>` children of a row that precede anything else."""
    sources = []
    child = row + 1
    while child < page.end[row] and page.tag[child] in (_SOURCE, TEXT):
        if page.tag[child] == _SOURCE:
            sources.append(child)
        child = int(page.end[child])
    return sources
