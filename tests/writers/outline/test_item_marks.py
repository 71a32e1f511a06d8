"""Marks of items and formulas that are text."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher.page.parse import parse
from thresher.writers.outline.lists import find_item_marks

CASES: Final[dict[str, list[str]]] = {
    "<ul><li><span>•</span><div>a</div></ul>": ["•"],
    "<ol><li><b>1.</b> a<ul><li>x</ul><li><b>(2)</b> b</ol>": ["1.", "(2)"],
    "<ol start=4><li><b>4</b> a</ol>": ["4"],
    "<ol><li><b>2016</b> a<li><b>7.</b> b</ol>": [],
    "<ul><li><b>1.</b> a</ul>": [],
    "<ul><li>• a<li>•</ul>": [],
    "<ul><li><b>• a</b> b</ul>": [],
    "<ul><li><sup>*</sup> With tax.</ul>": [],
    "<p><span>•</span> a": [],
    "<table><td><span class='ltx_tag ltx_tag_equation'>(1)</span></table>": ["(1)"],
}


@pytest.mark.parametrize(("html", "expected"), CASES.items())
def test_marks_are_found_when_they_repeat_those_of_the_list(html: str, expected: list[str]) -> None:
    """A bullet or the number of an item alone in an element must be found, and nothing else."""
    page = parse(f"<body>{html}")
    found = find_item_marks(page, np.ones(page.leaves.size, np.bool_))
    assert expected == [page.leaf_text(leaf) for leaf in found]


def test_items_have_one_mark_when_their_text_has_it_too() -> None:
    """An item must not begin with a bullet of the page, nor have a paragraph for it."""
    html = "<ul><li><span>•</span><div><p>The north.</p></div></li><li>b</li></ul>"
    assert "- The north.\n- b" == document_keeping(html).markdown
