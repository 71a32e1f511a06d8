"""Parts of lists and tables that hold nothing of their own, which Markdown writes otherwise."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page.tags import CODE_OF, flags_of
from thresher.writers.outline.outline import Outline
from thresher.writers.outline.runs import find_places

_LI, _TABLE, _TD, _TR, _UL = (CODE_OF[name] for name in "li table td tr ul".split())
_CELLS: Final = flags_of("td th")
_HEADS: Final = flags_of("thead")
Rows = npt.NDArray[np.integer]


def find_hollow_items(outline: Outline, written: Rows) -> Rows:
    """Find the items without numbers that hold nothing but a list without numbers.

    ``written`` are the rows of structure. What is nested in them belongs to the item before, or
    stands in place of the first.
    """
    page, tag = outline.page, outline.tag
    lists: Rows = written[tag.take(written) == _UL]
    items = page.parent.take(lists)
    is_inner = (tag.take(items) == _LI) & (page.tag.take(items) == _LI)
    is_inner &= outline.structure.take(items)
    lists, items = lists[is_inner], items[is_inner]
    if not lists.size:
        return lists  # as most
    around = page.nearest(outline.structure, page.parent.take(items))
    is_plain = (around >= 0) & (tag.take(around) == _UL)
    lists, items = lists[is_plain], items[is_plain]
    inner, outer = (find_places(page, outline.kept, rows) for rows in (lists, items))
    hollow: Rows = items[(inner[0] == outer[0]) & (inner[1] == outer[1])]
    return hollow


def find_empty_heads(outline: Outline, written: Rows) -> Rows:
    """Find the heads whose cells hold nothing, before rows of values: these have no names.

    ``written`` are the rows of structure.
    """
    page, tags = outline.page, outline.tag.take(written)
    heads: Rows = page.rows_of(_HEADS)
    heads = heads[~outline.holds.take(heads)]
    tables = page.parent.take(heads)
    is_part = outline.structure.take(tables) & (outline.tag.take(tables) == _TABLE)
    heads, tables = heads[is_part], tables[is_part]
    if not heads.size:
        return heads
    cells = page.rows_of(_CELLS)
    values, lines = written[tags == _TD], written[tags == _TR]
    line = np.append(lines, 0).take(lines.searchsorted(tables))
    stop = page.end.take(line)
    has_cells = cells.searchsorted(page.end.take(heads)) > cells.searchsorted(heads)
    has_values = values.searchsorted(stop) > values.searchsorted(line)
    empty: Rows = heads[has_cells & has_values & (line >= page.end.take(heads))]
    return empty
