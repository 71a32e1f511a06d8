"""Levels of trust in a source, 0 to 1: coarse and set by hand, not measured.

`thresher.analysis.metadata.decide` derives confidences from them.
"""

from __future__ import annotations

from typing import Final

__all__ = ["GENERAL", "GUESSED", "INFERRED", "SHOWN", "STATED"]

STATED: Final = 0.9
"""A machine-readable statement about this article, or a headline that one confirms."""
GENERAL: Final = 0.8
"""A machine-readable statement about the page in general."""
SHOWN: Final = 0.65
"""Shown to readers and marked with its meaning."""
INFERRED: Final = 0.45
"""Inferred from its usual position."""
GUESSED: Final = 0.3
"""Used because there is nothing else."""
