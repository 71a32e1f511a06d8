"""Addresses of requests, and of a site that readers know by another: a reverse proxy stands for it.

An absolute address of the site is written as a path, which leads to wherever the reader found it.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from thresher.writers.fragment.clean import rewrite_addresses

if TYPE_CHECKING:
    from mitmproxy import http

__all__ = ["address_of", "is_authority", "origin_of", "site_name_of", "to_path", "with_paths"]

_AUTHORITY: Final = re.compile(r"(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?", re.ASCII)
_BYTES: Final = re.compile("[\udc80-\udcff]")
"""What mitmproxy decodes such bytes to (PEP 383)."""
_PORTS: Final = {"http": 80, "https": 443}


def address_of(request: http.Request) -> str:
    """Return the address of a request, by the name that the client used."""
    return _encode_bytes(request.pretty_url)


def site_name_of(request: http.Request) -> str:
    """Return the host of a request, as the client named it."""
    return _encode_bytes(request.pretty_host)


def _encode_bytes(text: str) -> str:
    """Percent-encode bytes that are not UTF-8, as browsers do before they send an address."""
    return _BYTES.sub(lambda found: f"%{ord(found[0]) - 0xDC00:02X}", text)


def is_authority(host: str) -> bool:
    """Return whether a Host header is a host with or without a port, and nothing else."""
    return _AUTHORITY.fullmatch(host) is not None


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address, without the default port; empty without any."""
    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme, parts.hostname, parts.port
    except ValueError:  # such as a port that is no number
        return ""
    if scheme not in _PORTS or not host:
        return ""
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}" + (f":{port}" if port and port != _PORTS[scheme] else "")


def to_path(url: str, origin: str) -> str:
    """Return an address of an origin without it; any other unchanged."""
    if not origin or origin_of(url) != origin:
        return url
    parts = urlsplit(url)
    rest = url[url.index("//") + 2 + len(parts.netloc) :]
    # Two slashes at the start would be read as a host.
    return "/" + rest.lstrip("/\\") if rest[:1] in ("/", "\\", "") else f"/{rest}"


def with_paths(fragment: str, origin: str) -> str:
    """Return a fragment of HTML in which the addresses of an origin are paths."""
    return rewrite_addresses(fragment, partial(to_path, origin=origin))
