"""The containers around blocks."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from tests.helpers.trees import soups
from thresher.features.container_chain import N_LEVEL, find_containers
from thresher.page.parse import parse


def test_wrappers_are_left_out_of_the_chain() -> None:
    """Containers hold several blocks that no single child holds; the outermost is repeated."""
    page = parse("<div><section><div><p>a<p>b</div></section><p>c</div>")
    chain = find_containers(page)
    assert (N_LEVEL, 3) == chain.container.shape
    inner, outer = np.flatnonzero([page.name(row) == "div" for row in range(len(page))])[::-1]
    assert [inner, inner, outer] == chain.container[0].tolist()
    assert [[outer] * 3] * (N_LEVEL - 1) == chain.container[1:].tolist()
    assert [2, 2, 3] == (chain.stop - chain.first)[0].tolist()
    assert [3, 3, 3] == (chain.stop - chain.first)[1].tolist()
    assert [2, 2, 1] == chain.n_above.tolist()


def test_child_is_the_containers_own() -> None:
    """A block is inside a child of its container; at the top the last child is repeated."""
    page = parse("<div><section><div><p>a<p>b</div></section><p>c</div>")
    chain = find_containers(page)
    names = [[page.name(row) for row in level] for level in chain.child.tolist()]
    assert [["p", "p", "p"], *[["section", "section", "p"]] * (N_LEVEL - 1)] == names


def test_single_block_has_the_root() -> None:
    """If no element contains several blocks, the root is the container."""
    chain = find_containers(parse("<div><p>a</div>"))
    assert [[0]] * N_LEVEL == chain.container.tolist()
    assert [1] == chain.n_above.tolist()


def test_blocks_of_rows_are_runs() -> None:
    """The blocks inside any row are a run, which may be empty."""
    page = parse("<div><p>a<p>b</div><i></i><p>c")
    chain = find_containers(page)
    div, i = (
        next(row for row in range(len(page)) if page.name(row) == name) for name in ("div", "i")
    )
    assert (0, 2) == (chain.row_first[div], chain.row_stop[div])
    assert (2, 2) == (chain.row_first[i], chain.row_stop[i])


@given(soups())
def test_containers_of_soup_hold_their_blocks(html: str) -> None:
    """A container's run has the block in it, and the next container's run has all of it."""
    page = parse(html)
    if not len(page.blocks):
        return
    chain = find_containers(page)
    block = np.arange(len(page.blocks))
    assert ((chain.first <= block) & (block < chain.stop)).all()
    assert (chain.first[1:] <= chain.first[:-1]).all()
    assert (chain.stop[1:] >= chain.stop[:-1]).all()
    steps = chain.container[1:] != chain.container[:-1]
    assert (chain.container[1:] <= chain.container[:-1]).all()
    assert (page.parent[chain.child[1:]][steps] == chain.container[1:][steps]).all()
    assert (chain.n_above >= (steps.sum(axis=0))).all()
