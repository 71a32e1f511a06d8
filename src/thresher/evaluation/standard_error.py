"""The standard error of a mean: how much another sample of the same size would change it."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import stdev

__all__ = ["standard_error"]


def standard_error(values: Sequence[float]) -> float:
    """Return the standard error of the mean of values; 0 for a single value, for lack of data."""
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
