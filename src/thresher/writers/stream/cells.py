"""Cells of tables: their spans and alignments, and their blocks as lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from thresher.support.quoting import read_whole_number
from thresher.writers.stream.events import Attributes, Break, Cell, LinkEnd, RunStart, Token

__all__ = ["join_lines", "read_align", "read_cell", "read_text_align"]

_ALIGNMENTS: Final = ("left", "center", "right")
_TEXT_ALIGN: Final = re.compile(
    r"(?:^|;)\s*text-align\s*:\s*(left|center|right)\s*(?:;|!|$)", re.IGNORECASE
)
_MAX_SPAN: Final = 1000
"""Columns; the maximum `colspan` (HTML Living Standard, 4.9.11)."""
_CLOSING: Final = frozenset("\ufdd1\ufdd3\ufdd5")
"""Marks that end emphasis: they are not content of a line."""


def read_cell(attributes: Attributes) -> Cell:
    """Return an empty cell with these attributes."""
    return Cell(
        [],
        _read_span(attributes.get("colspan", "")),
        _read_span(attributes.get("rowspan", "")),
        read_text_align(attributes.get("style", "")) or read_align(attributes.get("align", "")),
    )


def read_align(value: str) -> str:
    """Return the alignment that an `align` attribute states, "" for none."""
    return value.lower() if value.lower() in _ALIGNMENTS else ""


def read_text_align(style: str) -> str:
    """Return the alignment that a `style` attribute states, "" for none."""
    found = _TEXT_ALIGN.search(style)
    return found[1].lower() if found else ""


def _read_span(value: str) -> int:
    return min(read_whole_number(value) or 1, _MAX_SPAN)


def join_lines(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens of a cell; if it holds blocks, with one break between lines."""
    if not any(isinstance(token, Break) and token.is_soft for token in tokens):
        return list(tokens)
    lines: list[Token] = []
    has_line = is_pending = False
    for token in tokens:
        if isinstance(token, Break):
            is_pending = has_line
            continue
        if isinstance(token, str) and not token.strip():
            # White space at the edge of a line is not shown.
            lines.append("" if is_pending or not has_line else token)
            continue
        if not isinstance(token, LinkEnd | RunStart) and token not in _CLOSING:
            if is_pending:
                lines.append(Break(is_soft=False))
            has_line, is_pending = True, False
        lines.append(token)
    return lines
