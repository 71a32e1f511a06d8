"""Whether a page shows its text x to nobody."""

from __future__ import annotations

from thresher.page.hidden import Hidden
from thresher.page.parse import parse

_TEXT = "<p>" + "This is the text of a page, which has many words more than that. " * 3


def is_unseen(html: str, *, alone: bool = False) -> bool:
    """Return whether the first text that begins with x is unseen, after other text or alone."""
    page = parse(html if alone else f"{_TEXT}</p>{html}")
    row = next(row for row in range(len(page)) if not page.tag[row] and page.text_of(row)[0] == "x")
    return bool(page.hidden[row] & Hidden.UNSEEN)
