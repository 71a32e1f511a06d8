"""Pages of results in Markdown: wrapped paragraphs, and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import TextWrapper
from typing import Final

DIGEST_CHARS: Final = 12
"""First characters of a digest that tables show."""
_LINE_CHARS: Final = 100


def join_parts(parts: Iterable[str]) -> str:
    """Join the parts of a page; tables, headings and commands stay as they are."""
    return "\n\n".join(map(_wrap, parts)) + "\n"


def write_table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, n_text: int = 1) -> str:
    """Write a table whose first columns contain text, the others numbers."""
    rule = ["---" if column < n_text else "---:" for column in range(len(heads))]
    lines = [heads, rule, *([_escape(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _wrap(part: str) -> str:
    """Wrap a paragraph, or each item of a list."""
    if part.startswith(("|", "#", " ")):
        return part
    wrap = TextWrapper(_LINE_CHARS, break_long_words=False, break_on_hyphens=False)
    if not part.startswith("- "):
        return wrap.fill(" ".join(part.split()))
    wrap.subsequent_indent = "  "
    return "\n".join(map(wrap.fill, part.splitlines()))


def _escape(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")
