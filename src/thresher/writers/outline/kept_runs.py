"""The kept leaves of a page grouped into runs, with the gaps between them and their ancestors."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with
from thresher.page import Page
from thresher.page.blocks import Runs, group_consecutive
from thresher.page.leaves import CLOSING
from thresher.page.rows import BoolArray, sum_before
from thresher.page.scan import IntArray
from thresher.page.tags import NAMES

__all__ = ["Grouping", "KeptRuns", "group_apart", "group_kept"]


class Grouping(NamedTuple):
    """The blocks of a page, or a finer division of its leaves."""

    of_leaf: IntArray
    """The group of each leaf; int32[n_leaf]."""
    row: IntArray
    """The innermost block-level element around each group; int32[n_group]."""


class KeptRuns(NamedTuple):
    """The kept leaves of a page in runs; a run is the kept leaves of one block or group."""

    leaves: IntArray
    """In document order; int32[n_kept]."""
    runs: Runs
    first_row: IntArray
    """The row of each run's first leaf; int32[n_run]."""
    last_row: IntArray
    """The row of each run's last leaf; int32[n_run]."""
    gaps: npt.NDArray[np.uint8]
    """The gap before each kept leaf: nothing, a space, a line break; uint8[n_kept]."""
    holds: BoolArray
    """Flags rows that are or hold a kept leaf; bool[n_row]."""
    tags: BoolArray
    """Flags the tags of these rows; bool[n_code]."""


def group_apart(page: Page, begins: Collection[int]) -> Grouping:
    """Return the blocks of a page, divided where one of some leaves begins a group of its own."""
    of_leaf, row = page.blocks.of_leaf, page.block_row
    if not begins:
        return Grouping(of_leaf, row)
    start = page.blocks.start[:-1]
    starts = np.union1d(start, np.fromiter((leaf for leaf in begins if leaf < of_leaf.size), int))
    flags = np.zeros(of_leaf.size, np.int32)
    flags[starts] = 1
    return Grouping(np.cumsum(flags, dtype=np.int32) - 1, row[of_leaf[starts]])


def _group_kept_by_step(
    steps: Steps, page: Page, keep: BoolArray, of_leaf: IntArray
) -> KeptRuns | None:
    grouped = steps.group_kept(
        page.buffer,
        page.tag,
        page.parent,
        page.end,
        page.open_start,
        page.leaf_offset,
        page.leaves,
        of_leaf,
        keep,
        page.gaps_before(keep),
        CLOSING,
        len(NAMES),
    )
    if grouped is None:
        return None
    kept, start, run_of_leaf, first_row, last_row, gaps, holds, tags = grouped
    n_run = int(run_of_leaf[-1]) + 1
    runs = Runs(start[: n_run + 1], run_of_leaf)
    return KeptRuns(kept, runs, first_row[:n_run], last_row[:n_run], gaps, holds, tags)


@kernel_with(_group_kept_by_step)
def group_kept(page: Page, keep: BoolArray, of_leaf: IntArray) -> KeptRuns:
    """Group the leaves flagged in ``keep``, bool[n_leaf], of which there is at least one.

    ``of_leaf`` is the group of each leaf, as in `Grouping`.
    """
    kept = keep.nonzero()[0].astype(np.int32)
    runs = group_consecutive(of_leaf[kept])
    first_row = page.leaves[kept[runs.start[:-1]]]
    last_row = page.leaves[kept[runs.start[1:] - 1]]
    kept_before = sum_before(keep)
    holds = kept_before[page.leaf_offset[page.end]] > kept_before[page.leaf_offset[:-1]]
    tags = np.zeros(len(NAMES), np.bool_)
    tags[page.tag[holds]] = True
    return KeptRuns(
        kept, runs, first_row, last_row, page.gaps_of(kept, page.gaps_before(keep)), holds, tags
    )
