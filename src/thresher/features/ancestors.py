"""Counts of ancestors of some kind, and nearest ancestors, for selected rows of a page.

`Table.within` and `Table.nearest` answer this for every row of a page, in several passes over all
rows. The functions here are faster if only some rows are queried and few are flagged.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.scan import IntArray

__all__ = ["count_ancestors", "nearest_ancestors"]

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


def nearest_ancestors(page: Page, flagged: _Rows, rows: _Rows) -> IntArray:
    """Find the nearest flagged ancestor-or-self of each of ``rows``, else −1.

    ``flagged`` are rows in document order. Counting only those, the nearest is the last preceding
    one of the same depth.
    """
    if not flagged.size:
        return np.repeat(np.int32(-1), rows.size)
    ends = page.end.take(flagged)
    ends.sort()
    own_depth = np.arange(1, flagged.size + 1) - ends.searchsorted(flagged, side="right")
    depth = flagged.searchsorted(rows, side="right") - ends.searchsorted(rows, side="right")
    keys = own_depth * len(page) + flagged
    keys.sort()
    found = keys.take(keys.searchsorted(depth * len(page) + rows, side="right") - 1) % len(page)
    found[depth == 0] = -1
    return found.astype(np.int32)
