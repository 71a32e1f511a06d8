"""The elements and containers around blocks."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from tests.helpers.trees import soups
from thresher.features.container_chain import N_LEVEL, count_ancestors, find_containers
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


@given(soups())
def test_around_agrees_with_the_table(html: str) -> None:
    """Counts are above 0 where `Table.within` says so."""
    page = parse(html)
    flags = (page.tag != TEXT) & (np.arange(len(page)) % 3 != 1)
    around = count_ancestors(page, np.flatnonzero(flags), page.leaf_offset)[0]
    assert page.within(flags)[page.leaves].tolist() == (around > 0).tolist()


def test_wrappers_are_left_out_of_the_chain() -> None:
    """Containers hold several blocks that no single child holds; the outermost is repeated.

    A block is inside a child of its container; at the top the last child is repeated.
    """
    page = parse("<div><section><div><p>a<p>b</div></section><p>c</div>")
    chain = find_containers(page)
    assert (N_LEVEL, 3) == chain.container.shape
    inner, outer = np.flatnonzero([page.name(row) == "div" for row in range(len(page))])[::-1]
    assert [inner, inner, outer] == chain.container[0].tolist()
    assert [[outer] * 3] * (N_LEVEL - 1) == chain.container[1:].tolist()
    assert [2, 2, 3] == (chain.stop - chain.first)[0].tolist()
    assert [3, 3, 3] == (chain.stop - chain.first)[1].tolist()
    assert [2, 2, 1] == chain.n_above.tolist()
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
