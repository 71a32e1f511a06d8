"""Folds of pages for training and measuring: pages of one site are never on both sides.

A site is a registered domain: the label below a public suffix, `bbc.co.uk` of `news.bbc.co.uk`.
Which suffixes are public, the Public Suffix List says (https://publicsuffix.org), of which
publicsuffixlist bundles a copy. Only its ICANN part counts here: blogs of one host have names of
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
    """What tells where a page came from; a `LabelledPage` does."""

    @property
    def id(self) -> str:
        """Its name in its corpus."""

    @property
    def url(self) -> str | None:
        """Its address, where it is known."""


def registered_domain(url: str | None) -> str | None:
    """Return the registered domain of a URL, in lower case; None where it names no host.

    An address, a host of one label and a public suffix are returned as they are. Raises
    MissingExtraError where publicsuffixlist is not installed.
    """
    host = host_of(url).rstrip(".")
    if not host or is_address(host):
        return host or None
    return _suffixes()(host) or host


def site_of(page: HasSource) -> str:
    """Name the site of a page: its registered domain, or the page itself where it has no URL."""
    return registered_domain(page.url) or f"page {page.id}"


def fold_of(page: HasSource, n_fold: int) -> int:
    """Return the fold of a page, from 0 to ``n_fold`` - 1: the same for all pages of its site.

    It depends on the site alone, not on the other pages or their order. Raises UsageError for less
    than one fold, and as `registered_domain` does.
    """
    if n_fold < 1:
        raise UsageError(f"n_fold must be 1 or more, not {n_fold}")
    return crc32(site_of(page).encode("utf-8", "surrogatepass")) % n_fold


@cache
def _suffixes() -> Callable[[str], str | None]:
    """Read the list; return what gives the registered domain of a host, None where it has none."""
    try:
        from publicsuffixlist import PublicSuffixList  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("the registered domain of a URL", "eval") from error
    found: Callable[[str], str | None] = PublicSuffixList(only_icann=True).privatesuffix
    return found
