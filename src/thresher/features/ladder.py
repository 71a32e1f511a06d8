"""The containers above each block: ancestors at which blocks part, wrappers left out.

Markup wraps a paragraph in any number of single elements, so levels counted in elements mean
little. A container is an element that holds at least two blocks, and more than any one of its
children does. The ladder of a block is the containers around it, nearest first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from thresher.page import Page
from thresher.scan import IntArray

__all__ = ["N_LEVEL", "Ladder", "climb"]

N_LEVEL: Final = 5
"""Containers a block's ladder has; where the page has fewer, the outermost stands in."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """The containers of every block, nearest first; int32[n_level, n_block] by default."""

    leaf: IntArray
    """Row of each block's first leaf; int32[n_block]."""
    container: IntArray
    """Row of the container."""
    child: IntArray
    """Row of the container's child that holds the block."""
    first: IntArray
    """First block of the container."""
    stop: IntArray
    """One past its last block."""
    n_above: IntArray
    """Containers around each block in all; int32[n_block]."""
    row_first: IntArray
    """First block at or after each row; int32[n_row]."""
    row_stop: IntArray
    """One past the last block that begins inside each row; int32[n_row]."""


def climb(page: Page) -> Ladder:
    """Find the containers above each block of a page that has any."""
    of_leaf = np.append(page.blocks.of_leaf, len(page.blocks)).astype(np.int32)
    low, high = page.leaf_offset[:-1], page.leaf_offset[page.end]
    first = of_leaf[low]
    stop = np.where(high > low, of_leaf[high - 1] + 1, first)
    n_inside = stop - first

    parent = np.maximum(page.parent, 0)
    fills = (n_inside == n_inside[parent]) & (page.parent >= 0)
    parts = n_inside >= 2
    parts[parent[fills]] = False
    if not parts.any():
        parts[0] = True
    is_child = parts[parent] & (page.parent >= 0)
    nearest = page.nearest(is_child)

    n_block = len(page.blocks)
    container = np.empty((N_LEVEL, n_block), np.int32)
    child = np.empty((N_LEVEL, n_block), np.int32)
    leaf = at = page.leaves[page.blocks.start[:-1]]
    for level in range(N_LEVEL):
        step = nearest[at]
        is_top = step < 0
        child[level] = np.where(is_top, at if level == 0 else child[level - 1], step)
        at = np.where(is_top, at if level == 0 else container[level - 1], parent[step])
        container[level] = at
    flags = np.cumsum(parts)
    opened = flags[leaf]
    closed = np.searchsorted(np.sort(page.end[parts]), leaf, side="right")
    return Ladder(
        leaf,
        container,
        child,
        first[container],
        stop[container],
        (opened - closed).astype(np.int32),
        first,
        stop,
    )
