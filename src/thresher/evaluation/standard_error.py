"""The standard error of a mean: how far another sample of as many pages would move it."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import stdev

__all__ = ["standard_error"]


def standard_error(values: Sequence[float]) -> float:
    """Return the standard error of the mean of values; that of one value is not known, and 0."""
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
