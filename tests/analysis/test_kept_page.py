"""thresher.analysis.kept_page: what is kept in the elements of a page."""

from __future__ import annotations

import numpy as np

from thresher.analysis.kept_page import KeptPage
from thresher.page.parse import parse

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
