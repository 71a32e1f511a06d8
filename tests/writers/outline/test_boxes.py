"""thresher.writers.outline.boxes: what is kept in the boxes of a page."""

from __future__ import annotations

import numpy as np

from thresher.page.parse import parse
from thresher.page.tags import CODE_OF
from thresher.writers.outline.boxes import BoxParts, KeptPage, unmark

PAGE = parse("<main><div><h2>a b</h2></div><p>c <a href=d>e f</a></p></main>")
ROW = {PAGE.name(row): row for row in range(len(PAGE))}


def test_counts_are_of_kept_leaves_only() -> None:
    """Leaves, words and blocks of an element must be counted as far as they are kept."""
    kept = KeptPage(PAGE, np.array([True, False, True]))
    assert [0, 2] == kept.leaves_of(ROW["main"])
    assert 4 == kept.count(ROW["main"], kept.words)
    assert 2 == kept.count(ROW["main"], kept.linked)
    assert 2 == kept.blocks_of(ROW["main"])
    assert ROW["p"] == kept.widen(ROW["a"])


def test_heading_in_a_box_is_written_as_its_text() -> None:
    """Headings and paragraphs around a leaf in a box must lose their tag, those above keep it."""
    parts = BoxParts()
    unmark(PAGE, parts, ROW["main"], 0)
    assert {ROW["h2"]: CODE_OF["div"]} == parts.tags
    unmark(PAGE, parts, ROW["p"], 2)
    assert ROW["p"] not in parts.tags
