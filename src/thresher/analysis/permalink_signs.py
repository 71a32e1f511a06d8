"""Signs of permalinks: links in headings that show "#", "¶" or a chain, and no words."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page

__all__ = ["find_signs_of", "is_named_permalink", "is_sign"]

_PERMALINK_CLASS: Final = re.compile(
    r"(?i)(?:^|[\s_-])(?:anchor|anchor-?link|hash-?link|header-?link|heading-?link|permalink)"
    r"(?:$|[\s_-])"
)
"""Class names used by documentation generators: Sphinx, Docusaurus, GitHub, MkDocs, Hugo themes."""
_SCRIPT: Final = re.compile(r"javascript:", re.IGNORECASE)
_SIGNS: Final = frozenset("#¶§∞⚓🔗↩⁋")
"""Characters that permalinks show."""
_WORD: Final = re.compile(r"\w")
_INNER: Final = b'="#'
"""What the tag of every link to an element of the page contains."""


def find_signs_of(page: Page, links: npt.NDArray[np.integer]) -> list[int]:
    """Return those of some links of headings that are not part of the words."""
    shown = links[page.chars_before[page.end[links]] > page.chars_before[links]].tolist()
    return [row for row in shown if is_sign(page, row) or _is_label(page, row)]


def is_sign(page: Page, row: int) -> bool:
    """Return whether a link of a heading is a mere sign.

    Not if it leads elsewhere, as the "&" of a type in a signature does.
    """
    text = page.text_of(row)
    if _WORD.search(text):
        return False
    address = (page.attr(row, "href") or "").strip()
    if not address or address.startswith("#") or _SCRIPT.match(address):
        return True
    return is_named_permalink(page, row) or not _SIGNS.isdisjoint(text)


def is_named_permalink(page: Page, row: int) -> bool:
    """Return whether the class of a link says that it is a permalink."""
    return bool(_PERMALINK_CLASS.search(page.attr(row, "class") or ""))


def _is_label(page: Page, row: int) -> bool:
    """Return whether a link has words that name it, such as "Link to this heading"."""
    if page.buffer.find(_INNER, page.open_start[row], page.open_stop[row]) < 0:
        return False  # as most
    if not (page.attr(row, "href") or "").startswith("#") or not is_named_permalink(page, row):
        return False
    own, around = row, int(page.parent[row])
    chars = page.chars_before
    return bool(chars[page.end[own]] - chars[own] < chars[page.end[around]] - chars[around])
