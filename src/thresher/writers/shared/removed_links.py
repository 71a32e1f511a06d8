"""The text links that were left out, listed after the content: Crunch's removed link retainer.

Gupta, Kaiser, Neistadt and Grimm 2003, section 3: this keeps the page navigable.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from thresher.analysis.links import clean_address
from thresher.document import Document

if TYPE_CHECKING:
    from thresher.analysis.removed_links import Link

__all__ = ["list_as_markup", "list_as_text", "read_links"]


def list_as_markup(document: Document, *, tracking: bool = False) -> str:
    """Return a rule and a list of the links, not yet sanitised; empty if there are none."""
    items = [
        f'<li><a href="{escape(link.url)}">{escape(link.text)}</a></li>'
        for link in _each_once(document, tracking=tracking)
    ]
    return f"<hr><ul>{''.join(items)}</ul>" if items else ""


def list_as_text(document: Document, *, tracking: bool = False) -> str:
    """Return a line for each link, its text and its URL; empty if there are none."""
    lines = [f"- {link.text} <{link.url}>\n" for link in _each_once(document, tracking=tracking)]
    return "\n" + "".join(lines) if lines else ""


def read_links(document: Document, *, tracking: bool = False) -> list[Link]:
    """Return the removed links; without ``tracking`` their URLs are cleaned."""
    if tracking:
        return list(document.removed_links)
    return [
        link if (url := clean_address(link.url)) == link.url else link._replace(url=url)
        for link in document.removed_links
    ]


def _each_once(document: Document, *, tracking: bool) -> list[Link]:
    """Return the removed links, only the first of those with the same text and URL."""
    seen: dict[tuple[str, str], Link] = {}
    for link in read_links(document, tracking=tracking):
        seen.setdefault((link.text, link.url), link)
    return list(seen.values())
