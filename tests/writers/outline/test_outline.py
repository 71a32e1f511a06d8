"""Laying out the kept part of a page."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from thresher.page.blocks import GLUE, NEWLINE, SPACE
from thresher.page.parse import parse
from thresher.writers.outline.outline import outline_page

STRUCTURE: Final = {
    "divs say nothing": ("<div><section>x</section></div>", []),
    "a lone paragraph is written as it is": ("<div><p>x</p></div>", ["p"]),
    "but not in an item": ("<ul><li><p>x</p></li></ul>", ["ul", "li"]),
    "nor when it holds two blocks": ("<p>x<br><br>y</p>", []),
    "headings hold no structure": ("<h2><ul><li>x</li></ul></h2>", ["h2"]),
    "items only in lists": ("<div><li>x</li></div>", []),
    "terms only in description lists": ("<div><dt>x</dt><dd>y</dd></div>", []),
    "captions only in figures": ("<figcaption>x</figcaption>", []),
    "layout tables say nothing": ("<table><tr><td><h2>x</h2></table>", ["h2"]),
    "data tables do": ("<table><tr><th>x<td>y</table>", ["table", "tbody", "tr", "th", "td"]),
    "what holds nothing is not written": ("<ul></ul><p></p>x", []),
}


@pytest.mark.parametrize(("html", "expected"), STRUCTURE.values(), ids=list(STRUCTURE))
def test_structure_is_found_when_a_page_is_outlined(html: str, expected: list[str]) -> None:
    """Only elements that mean more than "a block" must be written."""
    page = parse(f"<body>{html}")
    outline = outline_page(page, np.ones(page.leaves.size, np.bool_))
    assert expected == [page.name(row) for row in np.flatnonzero(outline.structure).tolist()]


GAPS: Final[dict[str, tuple[str, list[int], list[np.uint8]]]] = {
    "nothing between": ("<p>a<b>b</b></p>", [0, 1], [GLUE, GLUE]),
    "a space": ("<p><b>a</b> <b>b</b></p>", [0, 1], [GLUE, SPACE]),
    "a line break": ("<p>a<br>b</p>", [0, 1], [GLUE, NEWLINE]),
    "something dropped": ("<p>a<b>b</b>c</p>", [0, 2], [GLUE, SPACE]),
    "something dropped before a comma": ("<p>a<b>b</b>, c</p>", [0, 2], [GLUE, GLUE]),
    "a line break and something dropped": ("<p>a<b>b</b><br>c</p>", [0, 2], [GLUE, NEWLINE]),
    "a block between": ("<p>a</p><p>b</p>", [0, 1], [GLUE, GLUE]),
}


@pytest.mark.parametrize(("html", "keep", "expected"), GAPS.values(), ids=list(GAPS))
def test_gaps_are_found_when_leaves_are_dropped(
    html: str, keep: list[int], expected: list[np.uint8]
) -> None:
    """The gap between two kept leaves must be known, with or without dropped ones between them."""
    page = parse(f"<body>{html}")
    flags = np.zeros(page.leaves.size, np.bool_)
    flags[keep] = True
    assert expected == outline_page(page, flags).gaps.tolist()
