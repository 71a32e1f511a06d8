"""Checkboxes of task list items."""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.page.tags import CODE_OF
from thresher.writers.outline.outline import Outline

__all__ = ["find_boxes"]

_INPUT, _LI = CODE_OF["input"], CODE_OF["li"]
_BOX: Final = '<input type="checkbox" disabled{}> '
"""In the form GitHub uses: a disabled checkbox."""


def find_boxes(outline: Outline) -> dict[int, str]:
    """Return row of an item → checkbox markup, for items that begin with a checkbox."""
    page = outline.page
    rows = (page.tag == _INPUT).nonzero()[0]
    if not rows.size:
        return {}
    is_item = outline.structure & (outline.tag == _LI)
    if not is_item.any():
        return {}
    items = page.nearest(is_item)[rows]
    boxes: dict[int, str] = {}
    for row, item in zip(rows[items >= 0].tolist(), items[items >= 0].tolist(), strict=True):
        first = np.searchsorted(outline.kept, page.leaf_offset[[item, row]])
        if first[0] != first[1] or item in boxes:
            continue
        attrs = page.attrs(row)
        if attrs.get("type", "").lower() == "checkbox":
            boxes[item] = _BOX.format(" checked" if "checked" in attrs else "")
    return boxes
