"""Resolution of a page's links."""

from __future__ import annotations

import re
from html import escape
from typing import Final
from urllib.parse import urljoin, urlsplit

from thresher.page import Page
from thresher.page.tags import CODE_OF
from thresher.support.bounded_cache import MAX_ADDRESS_CHARS, bounded_cache

__all__ = [
    "ADDRESS_BREAKS",
    "find_base",
    "find_base_href",
    "find_plain_root",
    "find_target",
    "resolve_link",
]

_BASE: Final = CODE_OF["base"]
_WEB: Final = re.compile(r"https?://", re.IGNORECASE)
_REST: Final = r"(?:\?[^\x00-\x20;#]+)?(?:#[^\x00-\x20]+)?"
"""A query and a fragment; `urljoin` would leave out the sign before an empty one."""
_PLAIN_PATH: Final = re.compile(rf"(?:(?:/[\w-][\w.,-]*)+/?|/){_REST}", re.ASCII)
"""Root-relative addresses that need no normalisation: most links, and `urljoin` is slow."""
_PLAIN_ADDRESS: Final = re.compile(
    rf"https?://[\w.-]+(?::[0-9]+)?(?:/[^\x00-\x20;?#]*)?{_REST}", re.ASCII
)
"""Absolute addresses that are the same whatever they are relative to."""
_NO_HOST: Final = re.compile(r"[\x00-\x20<>^|]")
"""Characters that make a host unreadable (URL Living Standard, 3.1), of those that get this far."""
ADDRESS_BREAKS: Final = re.compile(r"[\t\n\r]+")
"""Characters that browsers, and `urlsplit`, remove from addresses (URL Standard, 4.4)."""
_MAX_BASES: Final = 256
"""Size of the cache of address roots; a page needs one."""
_MAX_GROWTH: Final = 8
"""Bytes that a base may add to all of a page's addresses, per byte of the page: as many as
canonical HTML may have."""
_MIN_GROWTH: Final = 2**16
"""Bytes that it may always add."""
_FOLLOWED_SCHEMES: Final = ("", "http", "https")
"""Schemes of links that lead to a page; empty for a relative address without a base."""


def find_base(page: Page) -> str | None:
    """Return the base of relative links, or None if it is unknown.

    It is the first `<base href>`, itself relative to the page's address (HTML Living Standard,
    2.4.3), else the page's address; also if that `<base>` is no address, or one of a script or
    of data (4.2.3). A base is unknown, so that links stay as they are written, if it is longer than
    `MAX_ADDRESS_CHARS`, or so long that the page's addresses would outgrow the page.
    """
    base, href = page.url or "", find_base_href(page)
    if href is not None and _may_be_base(stated := resolve_link(href, base)):
        base = stated
    return base if _WEB.match(base) and _is_in_proportion(base, page) else None


def _is_in_proportion(base: str, page: Page) -> bool:
    """Return whether a page's addresses can be made absolute without outgrowing it."""
    if len(base) > MAX_ADDRESS_CHARS:
        return False
    n_byte = len(escape(base).encode())
    # Every attribute could be an address.
    n_more = n_byte * page.attributes.row.size
    return n_more <= _MIN_GROWTH + _MAX_GROWTH * len(page.utf8)


def find_base_href(page: Page) -> str | None:
    """Return the address of the first `<base href>` as it is written, None without one."""
    for row in (page.tag == _BASE).nonzero()[0].tolist():
        if (href := page.attr(row, "href")) is not None:
            return href
    return None


def _may_be_base(url: str) -> bool:
    """Return whether a browser would resolve links against an address."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    if parts.scheme in ("http", "https"):
        return bool(host) and not _NO_HOST.search(host or "")
    return parts.scheme not in ("data", "javascript")


def resolve_link(target: str, base: str | None) -> str:
    """Return the absolute address of a link, or the link unchanged if it cannot be resolved."""
    target = target.strip()
    if not base or max(len(target), len(base)) > MAX_ADDRESS_CHARS:
        return target
    if _PLAIN_ADDRESS.fullmatch(target):
        return target
    if _PLAIN_PATH.fullmatch(target) and (root := _root_of(base)):
        return root + target
    try:
        return urljoin(base, target)
    except ValueError:  # such as an unclosed bracket where a host should be
        return target


@bounded_cache(_MAX_BASES)
def _root_of(base: str) -> str | None:
    """Return the part of an address before its path; None unless it is http or https."""
    try:
        parts = urlsplit(base)
    except ValueError:
        return None
    known = parts.scheme in ("http", "https") and parts.netloc
    return f"{parts.scheme}://{parts.netloc}" if known else None


def find_plain_root(base: str | None) -> str | None:
    """Return what to put before plain root-relative addresses, such as ``/a/b``, to resolve them.

    None if that depends on the address.
    """
    if not base:
        return ""
    root = _root_of(base)
    return root if root and _PLAIN_ADDRESS.fullmatch(root) else None


def find_target(href: str, base: str | None) -> str | None:
    """Return the address of a link that leads to another page, else None."""
    href = href.strip()
    if not href or href.startswith("#") or len(href) > MAX_ADDRESS_CHARS:
        return None
    if _PLAIN_ADDRESS.fullmatch(href):  # most are, and reading an address takes long
        return href
    url = resolve_link(href, base)
    if _PLAIN_ADDRESS.fullmatch(url):
        return url
    try:
        scheme = urlsplit(url).scheme
    except ValueError:
        return None
    return url if scheme in _FOLLOWED_SCHEMES else None
