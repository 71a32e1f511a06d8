"""Container chains: the ancestors of each block that contain several blocks, without mere wrappers.

Markup wraps a paragraph in any number of single elements, so the number of ancestors means little.
A container is an element that contains at least two blocks, and more than any one of its children.
The container chain of a block is its containers, nearest first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.scan import IntArray

_Rows = npt.NDArray[np.integer]


def count_ancestors(
    page: Page, rows: _Rows, offset: IntArray, kind: _Rows | int = 0, n_kind: int = 1
) -> IntArray:
    """Count the ancestors of each leaf, or of each block's first leaf, among some rows.

    ``offset`` selects leaves or blocks: `Page.leaf_offset` or `Page.block_offset`. Rows may be of
    several kinds, numbered from 0, which are counted separately. Returns int32[n_kind, n].
    """
    n_place = int(offset[-1]) + 1
    first = kind * n_place
    opened, closed = (
        np.bincount(first + offset.take(at), minlength=n_kind * n_place)
        for at in (rows, page.end.take(rows))
    )
    opened -= closed
    return opened.reshape(n_kind, n_place)[:, :-1].cumsum(axis=1, dtype=np.int32)


N_LEVEL: Final = 5
"""Length of a container chain; if there are fewer containers, the outermost is repeated."""


@dataclass(frozen=True, slots=True)
class ContainerChain:
    """The containers of each block, nearest first; int32[n_level, n_block] unless noted."""

    leaf: IntArray
    """Row of each block's first leaf; int32[n_block]."""
    container: IntArray
    """Row of the container."""
    child: IntArray
    """Row of the container's child that contains the block."""
    first: IntArray
    """First block of the container."""
    stop: IntArray
    """One past its last block."""
    n_above: IntArray
    """Total number of containers of each block; int32[n_block]."""
    row_first: IntArray
    """First block at or after each row; int32[n_row]."""
    row_stop: IntArray
    """One past the last block that begins inside each row; int32[n_row]."""


def find_containers(page: Page) -> ContainerChain:
    """Find the container chains of a page; it must have at least one block."""
    n_block = len(page.blocks)
    row_first, row_stop = _find_blocks(page)
    parent = page.parent
    containers = _container_rows(page, row_stop - row_first)
    # Elements without the first leaf of a block are not needed.
    holds = page.flag(containers)
    begins = page.block_offset.take(page.end) > page.block_offset[:-1]
    is_child = np.zeros(len(page), np.bool_)
    is_child[1:] = holds.take(parent[1:]) & begins[1:]

    # From a block's first leaf, and from each container, go up one step to the next container.
    leaf = page.block_leaf
    foot = np.concatenate((leaf, containers), dtype=np.int32)
    step = page.nearest(is_child, foot)
    above = containers.searchsorted(parent.take(step)) + n_block
    above = np.where(step < 0, np.arange(foot.size), above)
    feet = [np.arange(n_block)]
    for _ in range(N_LEVEL):
        feet.append(above.take(feet[-1]))
    at = np.array(feet)
    container = foot.take(at[1:])
    # Row numbers decrease upwards; beyond the last step, the last child is repeated.
    child = step.take(at[:-1])
    child = np.minimum.accumulate(np.where(child < 0, leaf, child))
    return ContainerChain(
        leaf,
        container,
        child,
        row_first.take(container),
        row_stop.take(container),
        count_ancestors(page, containers, page.block_offset)[0],
        row_first,
        row_stop,
    )


def _find_blocks(page: Page) -> tuple[IntArray, IntArray]:
    """Return the first block of each row, and one past its last one; int32[n_row] each."""
    of_leaf = np.empty(page.leaves.size + 1, np.int32)
    of_leaf[:-1], of_leaf[-1] = page.blocks.of_leaf, len(page.blocks)
    low, high = page.leaf_offset[:-1], page.leaf_offset.take(page.end)
    first = of_leaf.take(low)
    return first, np.where(high > low, of_leaf.take(high - 1) + 1, first)


def _container_rows(page: Page, n_inside: IntArray) -> npt.NDArray[np.intp]:
    """Return the rows with two blocks, and more than any child has; the root if there are none."""
    parent = page.parent[1:]
    parts = n_inside >= 2
    parts[parent[n_inside[1:] == n_inside.take(parent)]] = False
    rows = parts.nonzero()[0]
    return rows if rows.size else np.zeros(1, np.intp)
