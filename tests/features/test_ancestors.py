"""Elements around blocks: how many, and the nearest."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from tests.helpers.trees import soups
from thresher.features.ancestors import count_ancestors, nearest_ancestors
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF, TEXT

PAGE = parse("<div><p>a<b>b</b></p><div><p>c</p></div></div><p>d")
DIV, P = (np.flatnonzero(PAGE.tag == CODE_OF[name]) for name in ("div", "p"))


def test_elements_around_blocks_are_counted() -> None:
    """A block's first leaf is inside so many elements of a kind."""
    assert [[1, 2, 0]] == count_ancestors(PAGE, DIV, PAGE.block_offset).tolist()


def test_elements_of_several_kinds_are_counted_apart() -> None:
    """Each kind has a row."""
    rows = np.concatenate((DIV, P))
    kind = np.repeat([0, 1], [DIV.size, P.size])
    around = count_ancestors(PAGE, rows, PAGE.leaf_offset, kind, 2)
    assert [[1, 1, 2, 0], [1, 1, 1, 1]] == around.tolist()


def test_nearest_of_none_is_none() -> None:
    """Where nothing is flagged, nothing is near."""
    rows = PAGE.block_leaf
    assert [-1, -1, -1] == nearest_ancestors(PAGE, rows[:0], rows).tolist()


@given(soups())
def test_around_agrees_with_the_table(html: str) -> None:
    """Counts are above 0 where `Table.within` says so, and the nearest is `Table.nearest`'s."""
    page = parse(html)
    flags = (page.tag != TEXT) & (np.arange(len(page)) % 3 != 1)
    flagged = np.flatnonzero(flags)
    around = count_ancestors(page, flagged, page.leaf_offset)[0]
    assert page.within(flags)[page.leaves].tolist() == (around > 0).tolist()
    rows = np.arange(len(page))
    assert page.nearest(flags).tolist() == nearest_ancestors(page, flagged, rows).tolist()
