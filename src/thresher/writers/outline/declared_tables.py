"""Tables that the page declares by ARIA roles or by CSS, on elements that are none."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, flags_of
from thresher.support.late import compile_late

__all__ = ["declare_tables"]

TagArray = npt.NDArray[np.int16]

_TABLE, _TD, _TH, _TR = (CODE_OF[name] for name in ("table", "td", "th", "tr"))
_CELLS: Final = flags_of("td th")
_TAG_OF_ROLE: Final = {
    **dict.fromkeys(("grid", "table", "treegrid"), _TABLE),
    "row": _TR,
    **dict.fromkeys(("cell", "gridcell"), _TD),
    **dict.fromkeys(("columnheader", "rowheader"), _TH),
}
"""Roles of WAI-ARIA 1.2 → the tags that mean the same."""
_TAG_OF_DISPLAY: Final = {"table": _TABLE, "table-row": _TR, "table-cell": _TD}
_ROLE: Final = rb"cell|grid|header|row|table"
_DISPLAY: Final = compile_late(r"display(?<![\w-]display)\s*:\s*(table(?:-row|-cell)?)(?![\w-])")
_CAN_BE: Final = flags_of("address article aside div header p section")
"""Elements that can be a part of such a table."""


def declare_tables(page: Page, tag: TagArray, holds: BoolArray) -> TagArray:
    """Return the tag that each row is written as, with declared tables, rows and cells as such.

    Rows are in a table, and cells directly in a row. ``holds`` flags rows that are or hold a kept
    leaf; bool[n_row].
    """
    declared = _find_by_role(page) | _find_by_display(page)
    rows = np.array([row for row in declared if holds[row] or declared[row] in (_TD, _TH)], np.intp)
    rows = np.sort(rows[_CAN_BE[page.tag[rows]]])
    if not rows.size:
        return tag
    written = np.zeros(len(page), np.int16)
    written[rows] = [declared[row] for row in rows.tolist()]
    parent = page.parent[rows]
    around = page.nearest(written != 0)[parent]
    written[rows[(written[rows] == _TR) & (written[around] != _TABLE)]] = 0
    written[rows[_CELLS[written[rows]] & (written[parent] != _TR)]] = 0
    in_use = page.subtree_sums(_CELLS[written]) > 0
    return np.where((written != 0) & (in_use | _CELLS[written]), written, tag)


def _find_by_role(page: Page) -> dict[int, int]:
    found = page.attributes
    roles = found.values_of(found.matching("role", _ROLE))
    tags = {row: _TAG_OF_ROLE.get(role.strip().lower(), 0) for row, role in roles.items()}
    return tags if _TABLE in tags.values() else {}


def _find_by_display(page: Page) -> dict[int, int]:
    found = page.attributes
    styles = found.values_of(found.matching("style", rb"display\s*:\s*table"))
    matches = {row: _DISPLAY.search(style.lower()) for row, style in styles.items()}
    tags = {row: _TAG_OF_DISPLAY[each[1]] for row, each in matches.items() if each}
    return tags if _TR in tags.values() else {}
