"""What fetching gives, the function that gives it, and its limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from thresher import __version__


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched page."""

    url: str
    """The URL after all redirects."""
    body: bytes
    """The page, decompressed."""
    http_charset: str | None
    """Charset of the Content-Type header, in lower case."""
    content_type: str | None
    """Media type of the Content-Type header, in lower case, without parameters."""
    status: int
    is_public: bool
    """Whether the last host has a public address, as is assumed of names that only the proxy can
    resolve."""
    etag: str | None = None
    """Entity tag of this version, for conditional requests (RFC 9110, 8.8.3)."""
    last_modified: str | None = None
    """Date of the last change, as sent by the server."""
    allow_origin: str | None = None
    """Access-Control-Allow-Origin: whose scripts may read it (Fetch Standard, 3.3.3)."""


def read_content_type(header: str | None) -> tuple[str | None, str | None]:
    """Return charset and media type of a Content-Type header; None for what it does not say."""
    if not header:
        return None, None
    # Most runs of the command need no headers.
    from email.message import Message

    message = Message()
    message["Content-Type"] = header
    return message.get_content_charset() or None, message.get_content_type()


Get = Callable[[str], Fetched]
"""URL → page, within limits set by the caller; ThresherError if it cannot be fetched."""

TIMEOUT_S: Final = 30.0
"""Seconds for a whole fetch, name lookup and redirects included: the longest most people wait."""

MAX_TIMEOUT_S: Final = 24 * 60 * 60.0
"""Seconds. A day, far below what sockets and threads can count."""

MAX_REDIRECTS: Final = 20
"""The number after which the Fetch Standard (4.4, HTTP-redirect fetch) gives up."""

MAX_ROBOTS_BYTES: Final = 2**20
"""Bytes of a robots.txt. Twice the 500 KiB that RFC 9309, 2.5, asks robots to read at least."""

MAX_PAGES: Final = 20
"""Pages of one article: a bound on how long a site can keep us, not on any article we know of."""

DELAY_S: Final = 1.0
"""Seconds between two pages of a site without a crawl delay: no faster than a person."""

MAX_DELAY_S: Final = 60.0
"""Seconds. A site that asks for a longer delay is not followed, as nobody would wait."""

USER_AGENT: Final = f"thresher/{__version__}"
"""Our own name, so that sites can disallow it."""
