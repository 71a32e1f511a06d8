"""Equal keys brought together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Alike", "find_alike"]

_Numbers = npt.NDArray[np.intp]


class Alike(NamedTuple):
    """Keys in groups of equal ones."""

    group: _Numbers
    """The group of each key; intp[n_key]."""
    before: _Numbers
    """How many equal keys stand before each; intp[n_key]."""
    size: _Numbers
    """Keys of each group; intp[n_group]."""


def find_alike(keys: npt.NDArray[np.integer]) -> Alike:
    """Group equal keys."""
    order = keys.argsort(kind="stable")
    ordered = keys.take(order)
    is_first = np.ones(keys.size, np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    begins = is_first.nonzero()[0]
    size = np.append(begins[1:], keys.size) - begins
    group, before = np.empty((2, keys.size), np.intp)
    group[order] = np.arange(size.size).repeat(size)
    before[order] = np.arange(keys.size) - begins.repeat(size)
    return Alike(group, before, size)
