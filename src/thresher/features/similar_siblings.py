"""Grouping of equal keys, by which similar siblings and repeated blocks are found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_Numbers = npt.NDArray[np.intp]


class Groups(NamedTuple):
    """Groups of equal keys."""

    group: _Numbers
    """The group of each key; intp[n_key]."""
    before: _Numbers
    """Number of equal keys before each; intp[n_key]."""
    size: _Numbers
    """Size of each group; intp[n_group]."""


def group_equal(keys: npt.NDArray[np.integer]) -> Groups:
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
    return Groups(group, before, size)
