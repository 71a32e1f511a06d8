"""The choice of blocks, checked against every possible set."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.algorithms.learned.decide import choose

BETAS = st.sampled_from([0.25, 0.5, 1.0, 2.0, 4.0])
BLOCKS = st.lists(
    st.tuples(st.integers(0, 16).map(lambda n: n / 16), st.integers(0, 9)), min_size=1, max_size=7
)
"""Probabilities, some of them equal, and words, some of them none."""

Blocks = list[tuple[float, int]]


def split(blocks: Blocks) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    probability, words = zip(*blocks, strict=True)
    return np.array(probability), np.array(words)


def expect(blocks: Blocks, keep: tuple[bool, ...], beta: float) -> float:
    """Compute the expected measure from its definition."""
    found = sum(p * n for (p, n), kept in zip(blocks, keep, strict=True) if kept)
    n_kept = sum(n for (_, n), kept in zip(blocks, keep, strict=True) if kept)
    whole = n_kept + beta**2 * sum(p * n for p, n in blocks)
    return (1 + beta**2) * found / whole if whole else 0.0


@given(BLOCKS, BETAS)
def test_no_set_is_better(blocks: Blocks, beta: float) -> None:
    """The chosen set has the highest expected measure of all sets, and reports it correctly."""
    choice = choose(*split(blocks), beta=beta)
    sets = product((False, True), repeat=len(blocks))
    assert max(expect(blocks, keep, beta) for keep in sets) == pytest.approx(choice.expected)
    assert expect(blocks, tuple(choice.keep.tolist()), beta) == pytest.approx(choice.expected)


@given(BLOCKS, BETAS)
def test_more_probable_blocks_come_first(blocks: Blocks, beta: float) -> None:
    """If a block with words is kept, so is every block that is at least as probable."""
    probability, words = split(blocks)
    keep = choose(probability, words, beta=beta).keep
    assert keep.any()
    read = keep & (words > 0)
    bar = probability[read].min() if read.any() else 1.0
    assert (keep >= (probability >= bar)).all()
    assert (keep[words > 0] == (probability[words > 0] >= bar)).all() or not read.any()


@given(BLOCKS, st.tuples(BETAS, BETAS).map(sorted))
def test_no_block_is_lost_when_recall_counts_more(blocks: Blocks, betas: list[float]) -> None:
    """Every block that is kept for some β is kept for any larger β."""
    few, many = (choose(*split(blocks), beta=beta).keep for beta in betas)
    assert (few <= many).all()


@given(BLOCKS, BETAS, st.integers(0, 16).map(lambda n: n / 16))
def test_block_without_words_changes_nothing(
    blocks: Blocks, beta: float, probability: float
) -> None:
    """A picture is kept if it is probable, or as much so as any block, and affects no other."""
    alone = choose(*split(blocks), beta=beta)
    joined = choose(*split([*blocks, (probability, 0)]), beta=beta)
    assert alone.expected == joined.expected
    if alone.expected:
        least = split(blocks)[0][alone.keep].min()
        assert [*alone.keep.tolist(), probability >= min(least, 0.5)] == joined.keep.tolist()


@given(BLOCKS, st.randoms(use_true_random=False))
def test_order_of_blocks_does_not_matter(blocks: Blocks, random: Random) -> None:
    """The choice does not depend on the order of blocks."""
    order = list(range(len(blocks)))
    random.shuffle(order)
    keep = choose(*split(blocks)).keep
    shuffled = choose(*split([blocks[i] for i in order])).keep
    assert keep[order].tolist() == shuffled.tolist()


def test_nothing_to_choose_from() -> None:
    """Without blocks nothing is chosen."""
    keep, expected = choose(np.zeros(0), np.zeros(0, np.int64))
    assert (0, 0.0) == (keep.size, expected)
