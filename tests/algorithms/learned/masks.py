"""Masks of blocks written as text: "101" keeps the first and the third."""

from __future__ import annotations

import numpy as np

from thresher.page.rows import BoolArray

__all__ = ["flags_of", "shown"]


def flags_of(text: str) -> BoolArray:
    """Return the mask that a text shows."""
    return np.array([char == "1" for char in text])


def shown(found: BoolArray) -> str:
    """Return a mask as text."""
    return "".join("01"[flag] for flag in found.tolist())
