"""Resolution of a page's links, and the links that a selection leaves out.

The latter is the removed link retainer of Gupta, Kaiser, Neistadt, Grimm, "DOM-based Content
Extraction of HTML Documents", WWW 2003, section 3: whatever the method, the text links missing
from its result can be listed at the end, so that the page stays browsable.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import urljoin, urlsplit

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.blocks import SPACE, collapse, join_leaves
from thresher.page.references import unescape
from thresher.page.rows import sum_before
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, REPLACED
from thresher.selection import Selection
from thresher.support.bounded_cache import MAX_ADDRESS_CHARS, bounded_cache

__all__ = ["ADDRESS_BREAKS", "Link", "find_base", "find_base_href", "removed_links", "resolve_link"]

_A, _BASE, _MATH = (CODE_OF[name] for name in ("a", "base", "math"))
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
_FOLLOWED_SCHEMES: Final = ("", "http", "https")
"""Schemes of links that lead to a page; empty for a relative address without a base."""


class Link(NamedTuple):
    """A link of a page as shown to a reader."""

    text: str
    """On one line; never empty."""
    url: str
    """Absolute where the page's address is known."""
    block: int
    """The block it begins in: an index into ``page.blocks`` and ``document.blocks``."""


def removed_links(selection: Selection) -> tuple[Link, ...]:
    """List the text links that a selection drops entirely, in document order.

    A text link has text, with or without a picture, and leads to another page: links within the
    page, to scripts and to mailboxes are excluded. Of nested links, the outermost counts.
    """
    page = selection.page
    is_link = page.tag == _A
    rows = np.flatnonzero(is_link & ~page.below(is_link))
    has_text = ~REPLACED[page.tag[page.leaves]] | (page.tag[page.leaves] == _MATH)
    first, stop = page.leaf_offset[rows], page.leaf_offset[page.end[rows]]
    removed = _any_within(has_text, first, stop) & ~_any_within(selection.keep, first, stop)
    addresses = _Addresses(page)
    texts, gaps = page.leaf_texts(np.arange(page.leaves.size)), _line_gaps(page)
    columns = rows[removed], first[removed], stop[removed], page.blocks.of_leaf[first[removed]]
    found = []
    for row, start, end, block in zip(*(column.tolist() for column in columns), strict=True):
        if url := addresses.of(row):
            if end - start == 1:
                text = collapse(texts[start])
            else:
                text = join_leaves(texts[start:end], gaps[start:end]).replace("\n", " ")
            found.append(Link(text, url, block))
    return tuple(found)


class _Addresses:
    """The addresses of other pages that links lead to; those that occur several times read once."""

    def __init__(self, page: Page) -> None:
        hrefs = page.attributes.distinct("href")
        self._texts, self._base = hrefs.texts, find_base(page)
        self._number = dict(zip(hrefs.row.tolist(), hrefs.number.tolist(), strict=True))
        self._known: dict[int, str | None] = {}

    def of(self, row: int) -> str | None:
        """Return the address that a link leads to; None if it does not lead to another page."""
        number = self._number.get(row)
        if number is None:
            return None
        if number not in self._known:
            href = unescape(self._texts[number].decode())
            self._known[number] = _followed(href, self._base)
        return self._known[number]


def find_base(page: Page) -> str | None:
    """Return the base of relative links, or None if it is unknown.

    It is the first `<base href>`, itself relative to the page's address (HTML Living Standard,
    2.4.3), else the page's address; also if that `<base>` is no address, or one of a script or
    of data (4.2.3).
    """
    base, href = page.url or "", find_base_href(page)
    if href is not None and _may_be_base(stated := resolve_link(href, base)):
        base = stated
    return base if _WEB.match(base) else None


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
    if len(target) > MAX_ADDRESS_CHARS:
        return target
    if not base or _PLAIN_ADDRESS.fullmatch(target):
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


def _followed(href: str, base: str | None) -> str | None:
    """Return the address of a link that leads to another page, else None."""
    href = href.strip()
    if not href or href.startswith("#") or len(href) > MAX_ADDRESS_CHARS:
        return None
    url = resolve_link(href, base)
    if _PLAIN_ADDRESS.fullmatch(url):  # most are, and reading an address takes long
        return url
    try:
        scheme = urlsplit(url).scheme
    except ValueError:
        return None
    return url if scheme in _FOLLOWED_SCHEMES else None


def _any_within(
    leaf_flags: npt.NDArray[np.bool_], start: IntArray, stop: IntArray
) -> npt.NDArray[np.bool_]:
    """Return for each range of leaves whether any of them is flagged."""
    total = sum_before(leaf_flags)
    return total[stop] > total[start]


def _line_gaps(page: Page) -> npt.NDArray[np.uint8]:
    """Return the gap before each leaf when all is on one line: a space between blocks."""
    gaps = page.gaps.copy()
    gaps[page.blocks.start[:-1]] = SPACE
    return gaps
