"""Parts of lists and tables that hold nothing of their own, which Markdown writes otherwise."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page.tags import CELLS, CODE_OF, flags_of
from thresher.writers.outline.outline import Outline
from thresher.writers.outline.runs import find_places

_LI, _TABLE, _TD, _TR, _UL = (CODE_OF[name] for name in "li table td tr ul".split())
_HEADS: Final = flags_of("thead")
Rows = npt.NDArray[np.integer]


def find_hollow_items(outline: Outline) -> Rows:
    """Find the bulleted items that hold nothing but a bulleted list.

    What is nested in them belongs to the item before, or stands in place of the first.
    """
    page, tag = outline.page, outline.tag
    written = outline.structure.nonzero()[0]
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


def find_empty_heads(outline: Outline) -> Rows:
    """Find the heads of tables whose cells hold nothing, above rows with values."""
    page = outline.page
    heads: Rows = page.rows_of(_HEADS)
    if not heads.size:
        return heads  # as most
    heads = heads[~outline.holds.take(heads)]
    tables = page.parent.take(heads)
    is_part = outline.structure.take(tables) & (outline.tag.take(tables) == _TABLE)
    heads, tables = heads[is_part], tables[is_part]
    if not heads.size:
        return heads
    cells = page.rows_of(CELLS)
    written = outline.structure.nonzero()[0]
    tags = outline.tag.take(written)
    values, lines = written[tags == _TD], written[tags == _TR]
    line = np.append(lines, 0).take(lines.searchsorted(tables))
    stop = page.end.take(line)
    has_cells = cells.searchsorted(page.end.take(heads)) > cells.searchsorted(heads)
    has_values = values.searchsorted(stop) > values.searchsorted(line)
    empty: Rows = heads[has_cells & has_values & (line >= page.end.take(heads))]
    return empty
