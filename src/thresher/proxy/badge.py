"""Badge in the corner of a page, with links to other views; without scripts and images.

A key that browsers call an access key opens the reader from any place of the page, and the page
from the reader.

Its style sheet is inline and constant, so that a policy can allow it by its hash. If a policy in
the page blocks even that, the badge is a line at the end of the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from thresher.proxy.csp import hash_source

__all__ = ["STYLE", "STYLE_SOURCE", "Badge", "write_badge"]

STYLE: Final = (
    "thresher-mark{all:initial;position:fixed;z-index:2147483647;right:8px;bottom:8px;"
    "font:12px/1.5 system-ui,sans-serif;color:#333;direction:ltr;opacity:.65;contain:content}"
    "thresher-mark:hover,thresher-mark:focus-within{opacity:1}"
    "thresher-mark *{all:revert;color:inherit;font:inherit;float:none;margin:0;padding:0}"
    "thresher-mark details{background:#fff;border:1px solid #999;border-radius:6px;"
    "padding:1px 8px;max-width:20em}"
    "thresher-mark summary{cursor:pointer;list-style-position:inside}"
    "thresher-mark a{display:block;text-decoration:underline;padding:3px 0}"
    "thresher-mark p{padding:3px 0}"
    "@media print{thresher-mark{display:none}}"
    "@media (prefers-color-scheme:dark){thresher-mark{color:#ddd}"
    "thresher-mark details{background:#222;border-color:#666}}"
)
"""The style sheet; it applies to the badge only."""
STYLE_SOURCE: Final = hash_source(STYLE)
_BASE: Final = re.compile(r"<base(?=[\s/])", re.IGNORECASE)
_OWN_BASE: Final = re.compile(
    r"""\s+(?:target=["']?\w+["']?\s*/?>|href=(["']?)/?(?:[\w.-][\w./-]*)?\1\s*/?>)"""
)
"""Attributes of a base that only sets a target, or an address that begins neither with a scheme nor
with a host."""


@dataclass(frozen=True, slots=True)
class Badge:
    """Links that the badge of a page offers."""

    links: Sequence[tuple[str, str]]
    """Label and address of each link: absolute, with or without a scheme, or a path of the page's
    own site."""
    keyed: str = ""
    """Label of the link that a key opens."""
    key: str = ""
    """The key, a letter or a digit; empty for none."""

    def write_links(self, links: Sequence[tuple[str, str]], more: str = "") -> str:
        """Return some of the links as markup, with further attributes."""
        key = f' accesskey="{escape(self.key)}"' if self.key else ""
        return "".join(
            f'<a href="{escape(url)}" rel="nofollow noreferrer"{more}'
            f"{key if says == self.keyed else ''}>{escape(says)}</a>"
            for says, url in links
        )


def write_badge(badge: Badge, note: str, page: str) -> str:
    """Return the badge as HTML, in ASCII only, so that it is valid in any charset.

    ``note`` describes the current view of the page. Links to paths are left out if ``page``, the
    HTML that the badge is written into, has a base on which they may lead to another site: they
    contain the page's address and a token.
    """
    links = badge.links
    if any(_is_path(url) for _, url in links) and _has_other_base(page):
        links = [(says, url) for says, url in links if not _is_path(url)]
    anchors = badge.write_links(links, ' target="_top"')
    markup = (
        f"<thresher-mark><style>{STYLE}</style><details><summary>Thresher</summary>"
        f"<p>{escape(note)}</p>{anchors}</details></thresher-mark>"
    )
    return markup.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _is_path(url: str) -> bool:
    return url.startswith("/") and not url.startswith("//")


def _has_other_base(page: str) -> bool:
    """Return whether a page has a `<base>` that is not surely of its own site."""
    return any(not _OWN_BASE.match(page, tag.end()) for tag in _BASE.finditer(page))
