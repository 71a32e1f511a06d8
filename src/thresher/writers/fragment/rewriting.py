"""Replacement of the addresses in clean HTML."""

from __future__ import annotations

from collections.abc import Callable

import turbohtml

__all__ = ["rewrite_addresses"]


def rewrite_addresses(html: str, replace: Callable[[str], str]) -> str:
    """Return a fragment in which each address of a link, picture or source is replaced."""
    tree = turbohtml.parse_fragment(html, positions=False)
    tree.rewrite_links(replace)
    return tree.serialize(inner=True)
