"""How far a kind of source is trusted, 0 to 1: coarse levels set by hand, not measured shares.

`thresher.analysis.metadata.decide` makes a confidence of them.
"""

from __future__ import annotations

from typing import Final

__all__ = ["GENERAL", "GUESSED", "INFERRED", "SHOWN", "STATED"]

STATED: Final = 0.9
"""A statement made for machines about this very article, or a headline that one confirms."""
GENERAL: Final = 0.8
"""A statement made for machines about the page, whatever it holds."""
SHOWN: Final = 0.65
"""Shown to readers and marked as what it is."""
INFERRED: Final = 0.45
"""Taken from where such things usually stand."""
GUESSED: Final = 0.3
"""Taken because nothing else is there."""
