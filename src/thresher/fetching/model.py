"""What came of fetching a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Fetched", "Get"]


@dataclass(frozen=True, slots=True)
class Fetched:
    """The answer of a server."""

    url: str
    """Where the page came from after all redirects."""
    body: bytes
    """The page, decompressed."""
    http_charset: str | None
    """Charset of the Content-Type header, in lower case."""
    content_type: str | None
    """Media type of the Content-Type header, in lower case, without parameters."""
    status: int
    is_public: bool
    """Whether the last host has an address of the public internet; a name that only the proxy can
    resolve counts as having one."""
    etag: str | None = None
    """What the server calls this version: a later fetch may ask for another (RFC 9110, 8.8.3)."""
    last_modified: str | None = None
    """When it was last changed, as the server spells it."""


Get = Callable[[str], Fetched]
"""URL → what is there, within limits the caller has set; ThresherError where there is nothing."""
