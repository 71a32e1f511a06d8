"""The containers around blocks."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from tests.helpers.trees import soups
from thresher.features.ladder import N_LEVEL, climb
from thresher.page.parse import parse


def test_ladder_leaves_out_wrappers() -> None:
    """Containers are elements at which blocks part; the outermost stands in for missing ones."""
    page = parse("<div><section><div><p>a<p>b</div></section><p>c</div>")
    ladder = climb(page)
    assert (N_LEVEL, 3) == ladder.container.shape
    inner, outer = np.flatnonzero([page.name(row) == "div" for row in range(len(page))])[::-1]
    assert [inner, inner, outer] == ladder.container[0].tolist()
    assert [[outer] * 3] * (N_LEVEL - 1) == ladder.container[1:].tolist()
    assert [2, 2, 3] == (ladder.stop - ladder.first)[0].tolist()
    assert [3, 3, 3] == (ladder.stop - ladder.first)[1].tolist()
    assert [2, 2, 1] == ladder.n_above.tolist()


def test_child_is_the_containers_own() -> None:
    """A block is held by a child of its container; at the top the last child stays."""
    page = parse("<div><section><div><p>a<p>b</div></section><p>c</div>")
    ladder = climb(page)
    names = [[page.name(row) for row in level] for level in ladder.child.tolist()]
    assert [["p", "p", "p"], *[["section", "section", "p"]] * (N_LEVEL - 1)] == names


def test_single_block_has_the_root() -> None:
    """Where no blocks part, the root is the container."""
    ladder = climb(parse("<div><p>a</div>"))
    assert [[0]] * N_LEVEL == ladder.container.tolist()
    assert [1] == ladder.n_above.tolist()


def test_blocks_of_rows_are_runs() -> None:
    """What is inside any row is a run of blocks, empty where it holds none."""
    page = parse("<div><p>a<p>b</div><i></i><p>c")
    ladder = climb(page)
    div, i = (
        next(row for row in range(len(page)) if page.name(row) == name) for name in ("div", "i")
    )
    assert (0, 2) == (ladder.row_first[div], ladder.row_stop[div])
    assert (2, 2) == (ladder.row_first[i], ladder.row_stop[i])


@given(soups())
def test_containers_of_soup_hold_their_blocks(html: str) -> None:
    """A container's run has the block in it, and the next container's run has all of it."""
    page = parse(html)
    if not len(page.blocks):
        return
    ladder = climb(page)
    block = np.arange(len(page.blocks))
    assert ((ladder.first <= block) & (block < ladder.stop)).all()
    assert (ladder.first[1:] <= ladder.first[:-1]).all()
    assert (ladder.stop[1:] >= ladder.stop[:-1]).all()
    steps = ladder.container[1:] != ladder.container[:-1]
    assert (ladder.container[1:] <= ladder.container[:-1]).all()
    assert (page.parent[ladder.child[1:]][steps] == ladder.container[1:][steps]).all()
    assert (ladder.n_above >= (steps.sum(axis=0))).all()
