"""The text links that were left out, listed behind the content: Crunch's removed link retainer.

Gupta, Kaiser, Neistadt and Grimm 2003, section 3: so the page stays browsable.
"""

from __future__ import annotations

from html import escape

from thresher.document import Document
from thresher.links import Link

__all__ = ["list_as_markup", "list_as_text"]


def list_as_markup(document: Document) -> str:
    """Return a rule and a list of the links, not yet made safe; empty where there is none."""
    items = [
        f'<li><a href="{escape(link.url)}">{escape(link.text)}</a></li>'
        for link in _each_once(document)
    ]
    return f"<hr><ul>{''.join(items)}</ul>" if items else ""


def list_as_text(document: Document) -> str:
    """Return a line for each link, its text and its address; empty where there is none."""
    lines = [f"- {link.text} <{link.url}>\n" for link in _each_once(document)]
    return "\n" + "".join(lines) if lines else ""


def _each_once(document: Document) -> list[Link]:
    """Return the removed links, of those with the same text and address the first."""
    seen: dict[tuple[str, str], Link] = {}
    for link in document.removed_links:
        seen.setdefault((link.text, link.url), link)
    return list(seen.values())
