"""The kept leaves of a page grouped into runs, with the gaps between them and their ancestors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.native import REFUSED, compiled
from thresher.page import Page
from thresher.page.blocks import Runs, group_consecutive
from thresher.page.leaves import CLOSING
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import NAMES

__all__ = ["KeptRuns", "group_kept", "group_kept_arrays"]


class KeptRuns(NamedTuple):
    """The kept leaves of a page in runs; a run is the kept leaves of one block."""

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


def group_kept(page: Page, keep: BoolArray) -> KeptRuns:
    """Group the leaves flagged in ``keep``, bool[n_leaf], of which there is at least one."""
    if compiled is None:
        return group_kept_arrays(page, keep)
    n_leaf = keep.size
    kept, of_leaf, first_row, last_row = np.empty((4, n_leaf), np.int32)
    start, gaps = np.empty(n_leaf + 1, np.int32), np.empty(n_leaf, np.uint8)
    holds, tags = np.empty(len(page), np.bool_), np.empty(len(NAMES), np.bool_)
    n_kept = compiled.group_kept(
        (page.buffer, page.tag, page.parent, page.end, page.open_start),
        (page.leaf_offset, page.leaves, page.blocks.of_leaf, keep, page.gaps, CLOSING),
        *(kept, start, of_leaf, first_row, last_row, gaps, holds, tags),
    )
    if n_kept == REFUSED:
        return group_kept_arrays(page, keep)
    n_run = int(of_leaf[n_kept - 1]) + 1
    runs = Runs(start[: n_run + 1], of_leaf[:n_kept])
    first_row, last_row = first_row[:n_run], last_row[:n_run]
    return KeptRuns(kept[:n_kept], runs, first_row, last_row, gaps[:n_kept], holds, tags)


def group_kept_arrays(page: Page, keep: BoolArray) -> KeptRuns:
    """Group leaves like `group_kept`: the numpy definition."""
    kept = keep.nonzero()[0].astype(np.int32)
    runs = group_consecutive(page.blocks.of_leaf[kept])
    first_row = page.leaves[kept[runs.start[:-1]]]
    last_row = page.leaves[kept[runs.start[1:] - 1]]
    kept_before = np.concatenate(([0], np.cumsum(keep)))
    holds = kept_before[page.leaf_offset[page.end]] > kept_before[page.leaf_offset[:-1]]
    tags = np.zeros(len(NAMES), np.bool_)
    tags[page.tag[holds]] = True
    return KeptRuns(kept, runs, first_row, last_row, page.gaps_of(kept), holds, tags)
