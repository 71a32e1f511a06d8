"""The result of fetching a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Fetched", "Get"]


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


Get = Callable[[str], Fetched]
"""URL → page, within limits set by the caller; ThresherError if it cannot be fetched."""
