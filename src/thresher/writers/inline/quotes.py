"""Quotation marks, which browsers add around a `q`."""

from __future__ import annotations

import unicodedata
from typing import Final

__all__ = ["choose_quotation_marks"]

_QUOTES: Final = ("Pi", "Pf")
"""Categories of opening and closing quotation marks (Unicode 16, 4.5)."""


def choose_quotation_marks(text: str) -> tuple[str, str]:
    """Return the marks before and after a quoted text: none where it has its own."""
    first = text.strip()[:1]
    if first in ('"', "'", "„", "‚") or (first and unicodedata.category(first) in _QUOTES):
        return "", ""
    return "“", "”"
