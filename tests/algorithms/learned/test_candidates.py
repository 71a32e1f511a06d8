"""Candidates and their features, checked against all possible thresholds."""

from __future__ import annotations

from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.compiled_steps import needs_steps
from thresher.algorithms.learned import candidates
from thresher.algorithms.learned.candidates import (
    CANDIDATES,
    N_INPUT,
    Candidates,
    _describe_candidates,
    find_candidates,
)
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.roles import SCOPES

FloatArray = npt.NDArray[np.float64]
Block = tuple[float, int, int]

GRID = st.integers(-64, 64).map(lambda n: n / 8)
BLOCKS = st.lists(
    st.tuples(GRID, st.integers(0, 90), st.integers(0, 90)).map(
        lambda block: (block[0], block[1], min(block[1], block[2]))
    ),
    min_size=1,
    max_size=40,
)
"""Log-odds, some of them equal; words, some of them none; and of them those in links."""
WILD = st.lists(
    st.tuples(
        st.floats(-60, 60, allow_subnormal=False) | st.just(-30.0),
        st.integers(0, 10**6),
        st.integers(0, 99),
    ),
    min_size=1,
    max_size=60,
)
EVEN = np.full(len(PAGE_TYPES), 1 / len(PAGE_TYPES))
N_SLOPE = len(candidates._SLOPES)
LOGARITHMS = [10, 11, 15, *(candidates._N_SET + place for place in (2, 3, 4))]
"""Places of inputs that are logarithms of counts."""


def find(blocks: list[Block], *, empty_score: float = -3.0, scope: int = 0) -> Candidates:
    return find_candidates(*split(blocks), EVEN, empty_score=empty_score, scope=scope)


def split(blocks: list[Block]) -> tuple[FloatArray, npt.NDArray[np.int64], FloatArray]:
    log_odds, words, links = zip(*blocks, strict=True)
    return np.array(log_odds, np.float64), np.array(words, np.int64), np.array(links, np.float64)


def expect(log_odds: FloatArray, words: npt.NDArray[np.int64], cut: float, slope: float) -> float:
    """Compute the expected F1 of a cut from its definition."""
    probability = 1 / (1 + np.exp(-log_odds * slope))
    kept = log_odds >= cut
    whole = words[kept].sum() + (probability * words).sum()
    return float(2 * (probability * words)[kept].sum() / whole) if whole else 0.0


@given(BLOCKS)
def test_no_cut_has_a_higher_expected_f1(blocks: list[Block]) -> None:
    """At its slope, the cut of each of the first candidates has the highest expected F1 of all."""
    log_odds, words, _ = split(blocks)
    found = find(blocks)
    for cut, slope in zip(found.cut, candidates._SLOPES, strict=False):
        best = max(expect(log_odds, words, each, slope) for each in log_odds.tolist())
        assert best == pytest.approx(expect(log_odds, words, float(cut), slope), abs=1e-3)
        assert cut in log_odds


@given(BLOCKS)
def test_candidates_keep_blocks_that_reach_their_cut(blocks: list[Block]) -> None:
    """A candidate has the words of all blocks at or above its cut; fixed cuts match their names."""
    log_odds, words, _ = split(blocks)
    found = find(blocks)
    assert [float(words[log_odds >= cut].sum()) for cut in found.cut] == found.words.tolist()
    assert list(candidates._CUTS) == found.cut[N_SLOPE:].tolist()
    assert len(CANDIDATES) == found.cut.size == len(set(CANDIDATES))


@given(BLOCKS)
def test_every_candidate_is_described(blocks: list[Block]) -> None:
    """Every candidate has as many inputs as the chooser reads, and all of them are finite."""
    found = find(blocks)
    assert (len(CANDIDATES), N_INPUT) == found.inputs.shape
    assert np.isfinite(found.inputs).all()


@given(BLOCKS, st.randoms(use_true_random=False))
def test_order_of_blocks_does_not_move_cuts(blocks: list[Block], random: Random) -> None:
    """Cuts do not depend on the order of blocks."""
    shuffled = random.sample(blocks, len(blocks))
    one, other = find(blocks), find(shuffled)
    assert one.cut.tolist() == other.cut.tolist()
    assert one.words.tolist() == other.words.tolist()


@given(BLOCKS, st.integers(0, len(SCOPES) - 1), st.floats(-9, 9))
def test_page_inputs_are_the_same_for_all_candidates(
    blocks: list[Block], scope: int, empty_score: float
) -> None:
    """All candidates share the inputs for page, types and scope; the last inputs name the cut."""
    inputs = find(blocks, empty_score=empty_score, scope=scope).inputs
    n_set, n_own = candidates._N_SET, len(CANDIDATES)
    page = inputs[:, n_set : N_INPUT - n_own]
    assert (page == page[0]).all()
    assert empty_score / 6 == page[0, candidates._N_PAGE - 1]
    types, asked = page[0, candidates._N_PAGE : -len(SCOPES)], page[0, -len(SCOPES) :]
    assert EVEN.tolist() == types.tolist()
    assert [float(place == scope) for place in range(len(SCOPES))] == asked.tolist()
    assert np.eye(n_own).tolist() == inputs[:, -n_own:].tolist()


def test_worked_example() -> None:
    """The inputs of one candidate for a page of five blocks equal those worked out by hand."""
    blocks = [(-4.0, 10, 10), (2.0, 30, 3), (-2.0, 20, 20), (0.0, 10, 0), (-4.0, 30, 30)]
    found = find(blocks)
    place = CANDIDATES.index("log-odds of 0 or more")
    sure = np.round(65536 / (1 + np.exp([4.0, -2.0, 2.0, 0.0, 4.0]))) / 65536
    words = np.array([10, 30, 20, 10, 30])
    hit, whole = 30 * sure[1] + 10 * sure[3], float(sure @ words)
    assert 40 == found.words[place]
    told = found.inputs[place]
    assert [hit / 40, hit / whole, 2 * hit / (40 + whole)] == pytest.approx(told[:3].tolist())
    assert [40 / 100, 2 / 5] == pytest.approx(told[6:8].tolist())
    assert [3 / 40, 60 / 60] == pytest.approx(told[12:14].tolist())
    assert (sure[1] + sure[3]) / 2 == pytest.approx(told[14])
    # Two runs; 40 of the 60 words between the first block kept and the last; places 1 and 3 of 5.
    shape = [np.log1p(2) / 4, 2 / 2, 40 / 60, 60 / 100, 1 / 5, 3 / 5]
    assert shape == pytest.approx(told[15:21].tolist())
    # The last block kept has log-odds of 0, the first block dropped -2.
    assert [0, -0.5, 0.5, 0, 0] == pytest.approx(told[21:26].tolist())


def test_candidate_may_keep_nothing() -> None:
    """If no block reaches a fixed cut, the candidate has no words, and its inputs show that."""
    found = find([(-5.0, 9, 0), (-4.0, 8, 0)])
    place = CANDIDATES.index("log-odds of 1.5 or more")
    assert 0 == found.words[place]
    assert [6 / 4, -4 / 4, 6 / 4, 1.5 / 4, 6 / 4] == found.inputs[place, 21:26].tolist()
    assert [0, 0, 0] == found.inputs[place, :3].tolist()


def test_blocks_without_words() -> None:
    """A page of pictures has candidates, none of them with words."""
    found = find([(1.0, 0, 0), (-1.0, 0, 0)])
    assert [0.0] * len(CANDIDATES) == found.words.tolist()
    assert np.isfinite(found.inputs).all()


@given(BLOCKS)
def test_float32_gives_the_same_candidates(blocks: list[Block]) -> None:
    """Log-odds in float32, for which there is no compiled kernel, give the same candidates."""
    log_odds, words, links = split(blocks)
    single = log_odds.astype(np.float32)
    found = find_candidates(single, words, links, EVEN, empty_score=-3.0, scope=0)
    assert find(blocks).cut.tolist() == found.cut.tolist()
    assert find(blocks).inputs.ravel().tolist() == pytest.approx(found.inputs.ravel().tolist())


@needs_steps
@given(BLOCKS | WILD, st.integers(0, len(SCOPES) - 1), st.floats(-9, 9), st.integers(0, 9))
def test_compiled_step_equals_numpy(
    blocks: list[Block], scope: int, empty_score: float, seed: int
) -> None:
    """Results are bit-identical, except for logarithms, which numpy may compute differently."""
    log_odds, words, links = split(blocks)
    types = np.random.default_rng(seed).dirichlet(np.ones(len(PAGE_TYPES)))
    order = (-log_odds).argsort(kind="stable")
    expected = _describe_candidates.definition(
        log_odds, words, links, types, order, empty_score=empty_score, scope=scope
    )
    ours = find_candidates(log_odds, words, links, types, empty_score=empty_score, scope=scope)
    np.testing.assert_array_equal(expected.cut, ours.cut)
    np.testing.assert_array_equal(expected.words, ours.words)
    np.testing.assert_allclose(ours.inputs, expected.inputs, rtol=1e-15)
    exact = np.setdiff1d(np.arange(N_INPUT), LOGARITHMS)
    np.testing.assert_array_equal(expected.inputs[:, exact], ours.inputs[:, exact])
