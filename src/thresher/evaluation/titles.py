"""Removal of a page's title from a text, since labels disagree on whether it is content.

The share of labels that begin with the title ranges from none in one corpus to nine in ten in
another (both of news), so a score including it depends more on the label's policy than on the
method.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from thresher.page import Page

__all__ = ["MAX_TITLE_CHARS", "read_headings", "remove_titles"]

MAX_TITLE_CHARS: Final = 300
"""Characters, white space included. A longer "title" is a heading that was never closed."""

_WORD_CHAR: Final = re.compile(r"\w")


def read_headings(page: Page) -> list[str]:
    """Return the texts of a page's level-one headings."""
    return [page.text_of(row) for row in page.tagged(["h1"]).nonzero()[0].tolist()]


def remove_titles(text: str, titles: Iterable[str]) -> str:
    """Remove from a text the first line that is a title, or the title at its very start.

    This is done once for each distinct title, ignoring letter case, white space and punctuation.
    Titles longer than `MAX_TITLE_CHARS` are ignored.
    """
    letters = {
        "".join(_WORD_CHAR.findall(title)).casefold(): title
        for title in titles
        if len(title) <= MAX_TITLE_CHARS
    }
    for title in letters.values():
        text = _remove_title(text, title)
    return text


def _remove_title(text: str, title: str) -> str:
    chars = [re.escape(char) for char in _WORD_CHAR.findall(title)]
    if not chars:
        return text
    # Possessive: what is matched between two letters is never given back, so a search is linear.
    spelled = r"[^\w\n]*+" + r"\W*+".join(chars) + r"(?!\w)[^\w\n]*+"
    flags = re.IGNORECASE | re.MULTILINE
    found = re.search(f"^{spelled}$", text, flags) or re.match(rf"\s*+{spelled}", text, flags)
    return text[: found.start()] + text[found.end() :] if found else text
