"""The surroundings of blocks, checked against a walk up the tree and plain loops."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algorithms.learned.models import PAGE, features_of
from tests.helpers.trees import soups
from thresher.algorithms.learned.surroundings import N_CONTAINER, SHIFTS, look_around, place_names
from thresher.features import Features, compute_features
from thresher.page.parse import parse


def names_around(features: Features, row: int) -> list[int]:
    """Return the names of a row and of its ancestors."""
    tokens = features.tokens
    inside = (tokens.row <= row) & (tokens.end > row)
    return sorted(tokens.name[inside].tolist())


def check_places(features: Features) -> None:
    places = place_names(features)
    tokens, chain = features.tokens, features.chain
    n_name = int(tokens.name.max()) + 1
    for level, rows in enumerate((chain.leaf, *chain.container[:N_CONTAINER])):
        for block, row in enumerate(rows.tolist()):
            opened = tokens.name[: places.opened[level, block]]
            closed = tokens.name[places.by_end[: places.closed[level, block]]]
            count = np.bincount(opened, minlength=n_name) - np.bincount(closed, minlength=n_name)
            found = np.repeat(np.arange(n_name), count)
            assert names_around(features, row) == found.tolist()


@given(soups())
def test_names_around_a_block_of_any_page(html: str) -> None:
    """Names around rows are correct on tag soup."""
    page = parse(html)
    if len(page.blocks):
        check_places(compute_features(page))


def flat(first: list[list[int]], stop: list[list[int]], words: list[int]) -> Any:
    """Stand in for the features of a page, with only the fields that are read."""
    chain = SimpleNamespace(first=np.array(first), stop=np.array(stop))
    return SimpleNamespace(chain=chain, words=np.array(words))


def test_surroundings_counted_by_hand() -> None:
    """A block gets its code, two neighbours per side, and means of its containers and the page."""
    code = np.array([[[7.0], [8.0], [9.0]]], np.float32)
    summary = np.array([[[1.0], [4.0], [8.0]]], np.float32)
    features = flat([[0, 0, 2], [0, 0, 0], [0, 0, 0]], [[2, 2, 3], [3, 3, 3], [3, 3, 3]], [0, 1, 9])
    around = look_around(summary, features)
    near = around.gather(code, slice(0, 3))
    # Code; neighbours at −2, −1, 1, 2; means of containers: 5 / 2 (to even) or 8, twice 13 / 3.
    assert [[7, 0, 0, 4, 8, 2, 4, 4], [8, 0, 1, 8, 0, 2, 4, 4], [9, 1, 4, 0, 0, 8, 4, 4]] == near[
        0
    ].tolist()
    # Means of the page: by blocks 13 / 3, by words (4 + 72) / 10.
    assert [[[4, 8]]] == around.whole.tolist()


def test_page_without_words_has_means() -> None:
    """On a page of pictures the mean by words is 0."""
    summary = np.array([[[5.0]]], np.float32)
    features = flat([[0]] * N_CONTAINER, [[1]] * N_CONTAINER, [0])
    around = look_around(summary, features)
    near = around.gather(summary, slice(0, 1))
    assert [5, *([0] * len(SHIFTS)), 5, 5, 5] == near[0, 0].tolist()
    assert [5, 0] == around.whole[0, 0].tolist()


@pytest.mark.parametrize("seed", range(3))
def test_networks_do_not_affect_each_other(seed: int) -> None:
    """The surroundings are the same for a network alone and among others."""
    features = features_of(PAGE)
    random = np.random.default_rng(seed)
    shape = 3, len(features.words), 4
    code, summary = (random.integers(0, 255, shape).astype(np.float32) for _ in range(2))
    blocks = slice(0, shape[1])
    together = look_around(summary, features)
    near = together.gather(code, blocks)
    for net in range(len(code)):
        one = slice(net, net + 1)
        alone = look_around(summary[one], features)
        assert np.array_equal(near[one], alone.gather(code[one], blocks))
        assert np.array_equal(together.whole[one], alone.whole)


@given(st.data())
def test_surroundings_of_some_blocks_are_rows_of_all(data: st.DataObject) -> None:
    """The surroundings of a range of blocks are rows of the surroundings of all blocks."""
    features = features_of(PAGE)
    n_block = len(features.words)
    start = data.draw(st.integers(0, n_block - 1))
    stop = data.draw(st.integers(start + 1, n_block))
    random = np.random.default_rng(0)
    code, summary = (random.integers(0, 255, (2, n_block, 4)).astype(np.float32) for _ in range(2))
    around = look_around(summary, features)
    whole = around.gather(code, slice(0, n_block))
    assert np.array_equal(whole[:, start:stop], around.gather(code, slice(start, stop)))
