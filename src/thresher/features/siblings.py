"""Features of similar siblings: children of one container with the same tag and classes."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.features.base import Counts, FeatureKind, FeatureTable, Operands, list_features, ratio
from thresher.features.names import Signature
from thresher.page import Page
from thresher.page.attributes import number_spans
from thresher.page.scan import IntArray

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


_MIX: Final = np.int64(0x5851F42D4C957F2D)
"""An odd number that scatters what is multiplied by it (Knuth's MMIX)."""


def find_patterns(page: Page, signature: Signature) -> IntArray:
    """Number the patterns of blocks, each with a number below 2 · n_block; int32[2, n_block].

    In the first row blocks share a number if their elements, the parents of these and those of
    these are alike by tag and classes; in the second if they are alike and have one parent.
    """
    parent, row = page.parent, page.block_row
    above, own = parent.take(row), signature.take(row) * _MIX
    around = (own + signature.take(above)) * _MIX + signature.take(parent.take(above))
    keys = np.concatenate((around, own - above))
    # Numbered by the compiled step, as sorting by `group_equal` takes longer.
    start = np.arange(0, keys.nbytes, keys.itemsize, dtype=np.int32)
    numbers = number_spans(keys.tobytes(), start, start + np.int32(keys.itemsize)).number
    return numbers.reshape(2, -1)


N_LEVEL: Final = 3
"""Containers whose children are compared, nearest first."""
_TABLES: Final[tuple[tuple[FeatureKind, FeatureTable], ...]] = (
    (
        "log",
        {
            "count": "children similar to the one that contains the block, log",
            "mean_words": "mean words of these, log",
            "before": "number of these before the block, log",
        },
    ),
    ("share", {"share": "their share of the container's words"}),
    ("value", {"spread": "spread of their lengths, from 0 to 1"}),
    ("share", {"link_density": "share of their words inside links"}),
)
FEATURES: Final = tuple(
    feature
    for level in range(1, N_LEVEL + 1)
    for kind, table in _TABLES
    for feature in list_features("siblings", f"alike{level}_", kind, table)
)


def measure(counts: Counts, signature: npt.NDArray[np.int64]) -> Operands:
    """Return the operands of this group's features.

    A child is compared with its siblings of the same signature that contain blocks at its level.
    """
    page, chain = counts.page, counts.chain
    # A child of level l at row r has the key l · n_row + r.
    held_by = chain.child[:N_LEVEL] + np.arange(N_LEVEL)[:, None] * len(page)
    is_held = np.zeros(N_LEVEL * len(page), np.bool_)
    is_held[held_by] = True
    held = is_held.nonzero()[0]
    nth = (is_held.cumsum(dtype=np.int32) - 1).take(held_by)
    row = held % len(page)
    parent = held - row + page.parent.take(row)
    kin, before, size = group_equal(parent * (signature.max() + 1) + signature.take(row))

    first, stop = chain.row_first.take(row), chain.row_stop.take(row)
    words, link_words = (counts.between(name, first, stop) for name in ("words", "link_words"))
    total, link_total = np.bincount(kin, words), np.bincount(kin, link_words)
    mean = total / size
    spread = ratio(np.bincount(kin, np.abs(words - mean.take(kin))), 2 * total)
    around = counts.between("words", chain.first[:N_LEVEL], chain.stop[:N_LEVEL])

    group = kin.take(nth)
    in_all = total.take(group)
    logs = np.array((size.take(group), mean.take(group), before.take(nth)))
    parts = np.array((in_all, link_total.take(group)))
    wholes = np.array((around, in_all))
    spreads = [spread.take(group)]
    return Operands([_by_level(logs)], [_by_level(parts)], [_by_level(wholes)], spreads)


def _by_level(operands: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Group operands by level: [n, level, n_block] → [level · n, n_block]."""
    return operands.swapaxes(0, 1).reshape(-1, operands.shape[2])
