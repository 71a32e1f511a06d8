"""What requests ask for: navigations, HTML responses to them, and addresses of sites.

Browsers state the destination of a request (Fetch Metadata, W3C), but to secure origins only;
elsewhere older signals are used. In doubt a response is not a page: a script may expect it.

Readers may know a site by another address, if a reverse proxy stands for it. An absolute address of
the site is then written as a path, which leads to wherever the reader found it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from thresher.fetching.model import read_content_type
from thresher.support.quoting import read_whole_number
from thresher.writers.fragment.clean import rewrite_addresses

if TYPE_CHECKING:
    from mitmproxy import http


_DOCUMENTS: Final = frozenset(("document", "frame"))
"""A frame of a frameset is the content of its page; an iframe is a part of another page."""
_UNSAID: Final = (None, "", "empty")
"""Destinations of what a service worker fetches for a page: the mode is that of the page's request,
but the destination is lost (Fetch, "new Request")."""
_NAVIGATIONS: Final = frozenset(("navigate", "nested-navigate"))
_OF_SCRIPTS: Final = frozenset(
    "range upgrade x-requested-with hx-request turbo-frame x-pjax x-up-version x-inertia "
    "service-worker next-router-state-tree rsc".split()
)
"""Headers of range requests, and of requests that libraries send from scripts."""
XHTML: Final = "application/xhtml+xml"
_METHODS: Final = frozenset(("GET", "POST"))


def destination_of(method: str, headers: Mapping[str, str]) -> str:
    """Return the destination of a request: ``document``, ``iframe``, or empty for anything else.

    Names in ``headers`` are in lower case. Without Fetch Metadata, a request is a navigation if a
    browser marks it as one (Upgrade-Insecure-Requests), if it accepts HTML explicitly, or if it
    comes from a client other than a browser, such as curl, and accepts anything or plain text.
    """
    if method not in _METHODS or not _OF_SCRIPTS.isdisjoint(headers):
        return ""
    destination = headers.get("sec-fetch-dest")
    mode = headers.get("sec-fetch-mode")
    if destination is None and mode is None:
        return "document" if _seems_navigation(headers) else ""
    if (mode or "navigate") not in _NAVIGATIONS:
        return ""
    if mode and destination in _UNSAID:
        return "document"
    if destination in _DOCUMENTS:
        return "document"
    return "iframe" if destination == "iframe" else ""


def is_navigation(headers: Mapping[str, str]) -> bool:
    """Return whether a browser opens a page of its own, of whatever type; names in lower case."""
    return destination_of("GET", headers) == "document"


def has_destination(headers: Mapping[str, str]) -> bool:
    """Return whether a browser has stated the destination of a request."""
    return headers.get("sec-fetch-dest") not in _UNSAID


def _seems_navigation(headers: Mapping[str, str]) -> bool:
    """Return whether a request without Fetch Metadata is for a page."""
    accepted = headers.get("accept", "*/*").lower()
    if headers.get("upgrade-insecure-requests") == "1" or "text/html" in accepted:
        return True
    return ("*/*" in accepted or "text/plain" in accepted) and _is_program(headers)


def wants_text(headers: Mapping[str, str]) -> bool:
    """Return whether a program other than a browser asks for a page as plain text."""
    accepted = headers.get("accept", "").lower()
    return "text/plain" in accepted and "html" not in accepted and _is_program(headers)


def _is_program(headers: Mapping[str, str]) -> bool:
    """Return whether a request comes from neither a browser nor a script in one."""
    is_browser = "mozilla" in headers.get("user-agent", "").lower()
    return not is_browser and "origin" not in headers and "sec-fetch-mode" not in headers


def skip_reason(
    status: int, headers: Mapping[str, str], *, max_bytes: int, obey_no_transform: bool
) -> str | None:
    """Return why a response to a navigation is to pass unchanged; None for a page.

    Empty if the response is not HTML: it is not counted.
    """
    _, media_type = read_content_type(headers.get("content-type"))
    if status != 200 or media_type not in ("text/html", XHTML):
        return ""
    if headers.get("content-disposition", "").strip().lower().startswith("attachment"):
        return ""
    if "content-range" in headers:
        return ""
    if obey_no_transform and "no-transform" in headers.get("cache-control", "").lower():
        return "the server forbids changes"
    length = read_whole_number(headers.get("content-length", ""))
    if length is not None and length > max_bytes:
        return "too large"
    return None


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
    return _BYTES.sub(lambda match: f"%{ord(match[0]) - 0xDC00:02X}", text)


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
