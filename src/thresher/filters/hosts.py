"""Comparison of hosts: do two belong to the same site?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from thresher.support.hosts import is_address

__all__ = ["has_registry", "is_same_site"]

_SHORT_LABEL_CHARS: Final = 3
"""Maximum letters of a second-level label that is a registry's, not a site's: co.uk, com.br."""


def is_same_site(host: str, other: str | None) -> bool:
    """Return whether two hosts belong to the same site: equal, nested or siblings.

    Siblings share a domain below a registry. Registries are guessed by the length of their names,
    since the list of them is long and changes; so two hosts below ``blog.uk`` may be mistaken for
    one site.
    """
    if not other:
        return False
    host, other = host.removeprefix("www."), other.lower().rstrip(".").removeprefix("www.")
    if host == other or host.endswith(f".{other}") or other.endswith(f".{host}"):
        return True
    return _site_of(host) == _site_of(other)


def _site_of(host: str) -> str:
    if is_address(host):
        return host
    labels = host.split(".")
    return ".".join(labels[-3 if has_registry(labels) else -2 :])


def has_registry(labels: Sequence[str]) -> bool:
    """Return whether the last two labels of a host are a registry's, as by their lengths."""
    return len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= _SHORT_LABEL_CHARS
