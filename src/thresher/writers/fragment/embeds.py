"""URLs at which embedded players and frames can be viewed directly."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

from thresher.support.late import compile_late

__all__ = ["find_viewer_url"]

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
    r"|www\.facebook\.com/plugins/(?:video|post)\.php\?(?:.*&)?href)=([^&#]+)",
    re.IGNORECASE,
)
"""Players whose URL contains the address to play."""
_WEB: Final = re.compile(r"https?://(?!api\.)[^\s/]", re.IGNORECASE)
"""Addresses that a browser can open; SoundCloud's players may name one for programs."""


def find_viewer_url(url: str) -> str:
    """Return the viewable page for an embedding URL; the URL itself if no rule applies."""
    for pattern, address in _VIEWERS:
        if found := pattern.match(url):
            return found.expand(address)
    if (found := _NAMED.match(url)) and _WEB.match(target := unquote(found[1])):
        return target
    return url
