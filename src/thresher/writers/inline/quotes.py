"""Quotation marks, which browsers put around a `q` by themselves."""

from __future__ import annotations

import unicodedata
from typing import Final

__all__ = ["choose_quotation_marks"]

_QUOTES: Final = ("Pi", "Pf")
"""Categories of opening and closing quotation marks (Unicode 16, 4.5)."""


def choose_quotation_marks(text: str) -> tuple[str, str]:
    """Return what stands before and behind a quoted text: nothing where it has marks itself."""
    first = text.strip()[:1]
    if first in ('"', "'", "„", "‚") or (first and unicodedata.category(first) in _QUOTES):
        return "", ""
    return "“", "”"
