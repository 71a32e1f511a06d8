"""Checkboxes of task lists."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from thresher.page.parse import parse
from thresher.writers.outline.items import find_boxes
from thresher.writers.outline.outline import outline_page

CASES: Final[dict[str, tuple[str, list[bool]]]] = {
    "none": ("<ul><li>a</ul>", []),
    "ticked and not": (
        "<ul><li><input type=checkbox checked>a<li><input type=CHECKBOX>b</ul>",
        [True, False],
    ),
    "by role": (
        "<ul><li><div role=checkbox aria-checked=true></div>a"
        "<li><div role=checkbox aria-checked=false></div>b"
        "<li><div role=radio aria-checked=true></div>c</ul>",
        [True, False],
    ),
    "Notion's": (
        "<ul><li><div class='checkbox checkbox-on'></div>a"
        "<li><div class='checkbox checkbox-off'></div>b</ul>",
        [True, False],
    ),
    "Confluence's": (
        "<ul class=inline-task-list><li class=checked>a<li>b</ul><ul><li class=checked>c</ul>",
        [True, False],
    ),
    "of editors": (
        "<ol><li data-list=checked>a<li data-list=unchecked>b<li data-list=bullet>c</ol>"
        "<ul><li data-checked=true><label><input type=checkbox></label>d</ul>",
        [True, False, True],
    ),
    "other fields": ("<ul><li><input>a<li><input type=radio>b</ul>", []),
    "behind a text": ("<ul><li>a<input type=checkbox></ul>", []),
    "to be ticked": ("<ul><li><input type=checkbox>a<li><input type=checkbox>b</ul>", []),
    "disabled": ("<ul><li><input type=checkbox disabled>a</ul>", [False]),
    "of Markdown": ('<ul><li><input type=checkbox class="task-list-item-checkbox">a</ul>', [False]),
    "in no list": ("<input type=checkbox>a", []),
    "two in an item": ("<ul><li><input type=checkbox><input type=checkbox checked>a</ul>", [False]),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_boxes_are_found_when_items_begin_with_them(html: str, expected: list[bool]) -> None:
    """Each item that begins with a checkbox must have one, ticked as on the page."""
    page = parse(f"<body>{html}")
    boxes = find_boxes(outline_page(page, np.ones(page.leaves.size, np.bool_)))
    assert expected == [" checked" in box for box in boxes.values()]
    assert all("li" == page.name(row) for row in boxes)
