"""Checkboxes of task list items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from thresher.page import Page
from thresher.page.tags import CODE_OF
from thresher.writers.outline.outline import Outline

__all__ = ["find_boxes"]

_INPUT, _LI = CODE_OF["input"], CODE_OF["li"]
_BOX: Final = '<input type="checkbox" disabled{}> '
"""In the form GitHub uses: a disabled checkbox."""
_STATES: Final = ("aria-checked", "data-checked", "data-list", "data-task-state")
"""Attributes that say whether a task is done: those of ARIA, Tiptap, Quill and Atlassian."""
_IS_DONE: Final = {
    **dict.fromkeys(("checked", "done", "true"), True),
    **dict.fromkeys(("false", "todo", "unchecked"), False),
}
_NOTION: Final = rb"(?<![\w-])checkbox-o(?:n|ff)(?![\w-])"
_CONFLUENCE: Final = rb"(?<![\w-])inline-task-list(?![\w-])"
"""The class of a list of tasks, of which those that are done have the class `checked`."""
_TASK: Final = "task"
"""What is in the classes of boxes that readers of Markdown write to be ticked."""


def find_boxes(outline: Outline) -> dict[int, str]:
    """Return row of an item → checkbox markup, for items that begin with a checkbox.

    An item that its attributes make a task counts as beginning with one.
    """
    page = outline.page
    is_item = outline.structure & (outline.tag == _LI)
    states = dict(_find_states(page)) if is_item.any() else {}
    if not states:
        return {}
    rows = np.array(sorted(states))
    items = page.nearest(is_item)[rows]
    boxes: dict[int, str] = {}
    for row, item in zip(rows[items >= 0].tolist(), items[items >= 0].tolist(), strict=True):
        first = np.searchsorted(outline.kept, page.leaf_offset[[item, row]])
        if first[0] == first[1] and item not in boxes:
            boxes[item] = _BOX.format(" checked" if states[row] else "")
    return boxes


def _find_states(page: Page) -> Iterator[tuple[int, bool]]:
    """Yield the rows of tasks and their boxes, and whether they are done; rows may repeat.

    Boxes of which none is ticked, but all can be, are those of a form, or of a shopping list.
    """
    found = page.attributes
    for name in _STATES:
        for row, state in found.values(name).items():
            if name != "aria-checked" or page.attr(row, "role") == "checkbox":
                is_done = _IS_DONE.get(state.strip().lower())
                if is_done is not None:
                    yield row, is_done
    for row, names in found.values_of(found.matching("class", _NOTION)).items():
        yield row, "checkbox-on" in names.lower().split()
    lists = found.row[found.matching("class", _CONFLUENCE)]
    if lists.size:
        for row in ((page.tag == _LI) & np.isin(page.parent, lists)).nonzero()[0].tolist():
            yield row, "checked" in (page.attr(row, "class") or "").split()
    inputs = {row: page.attrs(row) for row in (page.tag == _INPUT).nonzero()[0].tolist()}
    fields = {
        row: attrs for row, attrs in inputs.items() if attrs.get("type", "").lower() == "checkbox"
    }
    is_list = any("checked" in attrs for attrs in fields.values())
    for row, attrs in fields.items():
        if is_list or "disabled" in attrs or _TASK in attrs.get("class", "").lower():
            yield row, "checked" in attrs
