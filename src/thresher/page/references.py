"""Character references of canonical HTML: the few that serialising writes."""

from __future__ import annotations

from typing import Final

ESCAPES: Final = {
    "&quot;": '"',
    "&#x27;": "'",
    "&lt;": "<",
    "&gt;": ">",
    "&nbsp;": "\xa0",
    "&amp;": "&",
}
"""Reference → character: those of canonical HTML (HTML Living Standard, 13.3), and the one that
`html.escape` writes besides. `&` is last, so that nothing is unescaped twice."""


def unescape(text: str) -> str:
    """Replace the character references of canonical HTML, or of markup made with `html.escape`."""
    if "&" in text:
        for reference, character in ESCAPES.items():
            text = text.replace(reference, character)
    return text
