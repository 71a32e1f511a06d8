"""A page as Jupyter shows it: the table of its blocks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from thresher.page.page import Page

_MAX_BLOCKS: Final = 200
"""Blocks that are shown; a notebook keeps its output."""
_MAX_CHARS: Final = 120
"""Characters of a block that are shown."""


def show_page(page: Page) -> str:
    """Return an HTML table with number, element, path and the beginning of each block."""
    shown = page.block_row[:_MAX_BLOCKS]
    rows = zip(page.names(shown), page.paths(shown), page.block_texts(), strict=False)
    lines = [
        f"<tr><td>{index}</td><td>{escape(tag)}</td><td>{escape(path.css if path else '')}</td>"
        f'<td style="text-align:left">{escape(_cut(text))}</td></tr>'
        for index, (tag, path, text) in enumerate(rows)
    ]
    total = len(page.blocks)
    more = f", the first {_MAX_BLOCKS} of them" if total > _MAX_BLOCKS else ""
    head = "<tr><th></th><th>element</th><th>path</th><th>text</th></tr>"
    return (
        f"<table><caption>{total:,} blocks{more}</caption><thead>{head}</thead>"
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_CHARS else f"{text[: _MAX_CHARS - 1]}…"
