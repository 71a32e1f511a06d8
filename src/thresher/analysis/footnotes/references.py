"""Detection of footnote references: links with a short mark and further evidence."""

from __future__ import annotations

import re
from typing import Final

from thresher.page import Page
from thresher.page.tags import BLOCK, CODE_OF
from thresher.support.late import compile_late

__all__ = ["brackets_around", "is_bracketed", "is_named", "looks_like_reference", "read_mark"]

_SUP: Final = CODE_OF["sup"]
_MARK: Final = compile_late(
    r"[\[(]?\s*((?:(?:fn|n|nb|note)\.?\s?)?\d{1,4}[a-z]?|[a-z]{1,2}|[ivxl]{1,6}|[*†‡§¶#]{1,4})\s*[\])]?",
    re.IGNORECASE,
)
"""Text of a reference."""
_NAMED: Final = re.compile(
    rb"(?i)foot-?_?note|note-?ref|end-?note|cite[_-](?:note|ref)|\bfn|ftn|#_?(?:en|note)[_-]?\d"
)
"""Names of references in any attribute."""
_LEVELS_UP: Final = 3
"""Ancestors of a reference in which a `sup` is looked for."""


def read_mark(text: str) -> str | None:
    """Return a text's mark without brackets; None if the text is not a mark."""
    found = _MARK.fullmatch(text.strip())
    return found[1] if found else None


def is_named(markup: bytes) -> bool:
    """Return whether some markup has a name of references or notes."""
    return _NAMED.search(markup) is not None


def looks_like_reference(page: Page, row: int) -> bool:
    """Return whether a link with a mark has further evidence of being a reference."""
    raised = (page.tag[row : page.end[row]] == _SUP).any()
    above, tags = row, page.buffer[page.open_start[row] : page.open_stop[row]]
    for _ in range(_LEVELS_UP):
        above = max(int(page.parent[above]), 0)
        raised |= page.tag[above] == _SUP
        if not BLOCK[page.tag[above]]:
            tags += page.buffer[page.open_start[above] : page.open_stop[above]]
    bracketed = page.text_of(row).strip().startswith("[") or is_bracketed(page, row)
    return bool(raised or bracketed or b'doc-noteref"' in tags or is_named(tags))


def is_bracketed(page: Page, row: int) -> bool:
    """Return whether a link is in square brackets, whatever texts they are part of."""
    first, stop = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
    if not 0 < first < stop < page.leaves.size:
        return False
    before, after = page.leaf_text(first - 1), page.leaf_text(stop)
    return before.endswith("[") and after.startswith("]")


def brackets_around(page: Page, row: int) -> tuple[int, ...]:
    """Return the two leaves that are only the brackets around a link."""
    first, stop = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
    if not 0 < first < stop < page.leaves.size:
        return ()
    if page.leaf_text(first - 1).strip() in ("[", "(") and page.leaf_text(stop).strip() in "])":
        return (first - 1, stop)
    return ()
