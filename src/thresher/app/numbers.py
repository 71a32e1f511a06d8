"""Numbers in forms and queries, which people and programs can change to anything."""

from __future__ import annotations

from typing import Final

__all__ = ["read_number"]

_MAX_DIGITS: Final = 18
"""Digits of a number that fits in 64 bits, as SQLite stores it."""


def read_number(text: str) -> int | None:
    """Return a whole number of at most 18 digits; None for anything else."""
    return int(text) if text.isdecimal() and len(text) <= _MAX_DIGITS else None
