"""Lists that the page has in pieces: Notion and other exports put each item into a list of its own.

A numbered list continues the one before if nothing is between and its `start` is the next number;
one without numbers, if each of the two has a single item and both have the same class.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, flags_of
from thresher.support.quoting import read_whole_number
from thresher.writers.outline.kept_runs import KeptRuns

__all__ = ["find_continued"]

_HR, _LI, _OL = (CODE_OF[name] for name in ("hr", "li", "ol"))
_LISTS: Final = flags_of("ol ul")


def find_continued(
    page: Page, tag: npt.NDArray[np.int16], kept: KeptRuns, structure: BoolArray
) -> dict[int, int]:
    """Return row of a list → row of the list that it continues, in order.

    ``tag`` is what each row is written as; ``structure`` flags the rows that are. Both bool[n_row].
    """
    if not (kept.tags & _LISTS).any():
        return {}
    is_list = structure & _LISTS[tag]
    lists = is_list.nonzero()[0]
    # Counted in kept leaves: where each begins, and the first one behind it.
    begins = kept.leaves.searchsorted(page.leaf_offset[lists])
    stops = kept.leaves.searchsorted(page.leaf_offset[page.end[lists]])
    if lists.size < 2 or not np.isin(begins[1:], stops).any():
        return {}
    around = page.nearest(is_list)
    items = (structure & (tag == _LI)).nonzero()[0]
    n_item = np.bincount(around[items] + 1, minlength=len(page) + 1)[1:]
    valued = {int(around[row]) for row in page.attributes.values("value") if tag[row] == _LI}
    above = page.nearest(structure)[page.parent[lists]]
    continued: dict[int, int] = {}
    ended: dict[int, tuple[int, int]] = {}
    """Structure around → the last list in it, and where that ends."""
    columns = zip(lists.tolist(), above.tolist(), begins.tolist(), stops.tolist(), strict=True)
    for row, container, begin, stop in columns:
        before, end = ended.get(container, (-1, -1))
        ended[container] = row, stop
        if begin == end and tag[row] == tag[before] and before not in valued:
            counts = int(n_item[before]), int(n_item[row])
            is_apart = (page.tag[page.end[before] : row] == _HR).any()
            if not is_apart and _continues(page, before, row, counts):
                continued[row] = before
    return continued


def _continues(page: Page, before: int, row: int, n_item: tuple[int, int]) -> bool:
    """Return whether a list continues the one before, given how many items each has."""
    first, second = page.attrs(before), page.attrs(row)
    if page.tag[row] != _OL:
        return n_item == (1, 1) and first.get("class") == second.get("class")
    if "reversed" in first or "reversed" in second or first.get("type") != second.get("type"):
        return False
    start = read_whole_number(first.get("start", "1"))
    return start is not None and read_whole_number(second.get("start", "")) == start + n_item[0]
