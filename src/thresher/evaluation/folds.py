"""Folds of pages for training and evaluation: pages of one site are never on both sides.

A site is a registered domain: the label below a public suffix, `bbc.co.uk` of `news.bbc.co.uk`.
Public suffixes are defined by the Public Suffix List (https://publicsuffix.org), of which
publicsuffixlist bundles a copy. Only its ICANN part is used here: blogs of one host have names of
their own but share their markup.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Protocol
from zlib import crc32

from thresher.errors import MissingExtraError, UsageError
from thresher.support.hosts import host_of, is_address

__all__ = ["HasSource", "fold_of", "registered_domain", "site_of"]


class HasSource(Protocol):
    """Anything with a known source, such as a `LabelledPage`."""

    @property
    def id(self) -> str:
        """Its name in its corpus."""

    @property
    def url(self) -> str | None:
        """Its URL, if known."""


def registered_domain(url: str | None) -> str | None:
    """Return the registered domain of a URL, in lower case; None if it has no host.

    An IP address, a host of one label and a public suffix are returned unchanged. Raises
    MissingExtraError if publicsuffixlist is not installed.
    """
    host = host_of(url).rstrip(".")
    if not host or is_address(host):
        return host or None
    return _suffixes()(host) or host


def site_of(page: HasSource) -> str:
    """Return the site of a page: its registered domain, or the page itself if it has no URL."""
    return registered_domain(page.url) or f"page {page.id}"


def fold_of(page: HasSource, n_fold: int) -> int:
    """Return the fold of a page, from 0 to ``n_fold`` - 1: the same for all pages of its site.

    It depends only on the site, not on the other pages or their order. Raises UsageError for less
    than one fold, and the errors of `registered_domain`.
    """
    if n_fold < 1:
        raise UsageError(f"n_fold must be 1 or more, not {n_fold}")
    return crc32(site_of(page).encode("utf-8", "surrogatepass")) % n_fold


@cache
def _suffixes() -> Callable[[str], str | None]:
    """Read the list; return a function from a host to its registered domain, None without one."""
    try:
        from publicsuffixlist import PublicSuffixList  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("the registered domain of a URL", "eval") from error
    found: Callable[[str], str | None] = PublicSuffixList(only_icann=True).privatesuffix
    return found
