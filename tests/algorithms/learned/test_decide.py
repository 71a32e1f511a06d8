"""The decision: kept blocks for every β, and forbidden blocks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algorithms.learned.models import features_of, follow_network, make_decider, make_model
from thresher.algorithms.learned.adapter import Adapter
from thresher.algorithms.learned.calibration import sigmoid
from thresher.algorithms.learned.context import PageScores
from thresher.algorithms.learned.decide import choose, decide
from thresher.algorithms.learned.model import Model
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.roles import ROLES

Block = tuple[float, int]

BETAS = st.sampled_from([1 / 16, 0.25, 0.5, 1.0, 2.0, 4.0, 16.0])
LOG_ODDS = st.integers(-72, 72).map(lambda n: n / 8)
BLOCKS = st.lists(
    st.tuples(LOG_ODDS | st.just(-np.inf), st.integers(0, 60)), min_size=1, max_size=14
)
"""Log-odds, some of them equal, some −∞ (forbidden blocks); and words, sometimes none."""
ADAPTER = Adapter(np.array(1.0), np.ones(4), np.zeros(4), np.zeros((0, 3)), np.zeros((3, 1)))
MODELS: dict[str, Model] = {
    "expectation": make_model(),
    "network": make_model(decider=follow_network()),
    **{f"decider {seed}": make_model(decider=make_decider(seed)) for seed in range(3)},
}
models = st.sampled_from(sorted(MODELS)).map(MODELS.__getitem__)


def see(blocks: list[Block], scope: int = 0) -> PageScores:
    log_odds, words = zip(*blocks, strict=True)
    n_word = np.array(words, np.int64)
    types = np.full(len(PAGE_TYPES), 1 / len(PAGE_TYPES))
    features = features_of("<p>rye</p>" * len(blocks))
    around = features.chain, features.patterns
    roles = np.zeros((len(blocks), len(ROLES)), np.float32)
    return PageScores(np.array(log_odds), roles, n_word, n_word / 2, *around, types, scope)


@given(models, BLOCKS, BETAS)
def test_forbidden_blocks_are_dropped(model: Model, blocks: list[Block], beta: float) -> None:
    """No block with log-odds of −∞ is kept or probable, for any β, even if there are no others."""
    seen = see(blocks)
    decision = decide(model, seen, beta)
    forbidden = np.isneginf(seen.log_odds)
    assert not decision.keep[forbidden].any()
    assert not decision.probability[forbidden].any()


@given(models, BLOCKS, BETAS)
def test_confidence_does_not_depend_on_beta(model: Model, blocks: list[Block], beta: float) -> None:
    """Confidence and probabilities are those of β = 1, whatever the caller favours."""
    balanced, favoured = (decide(model, see(blocks), each) for each in (1, beta))
    assert balanced.confidence == favoured.confidence
    assert balanced.probability.tolist() == favoured.probability.tolist()
    assert 0 <= favoured.confidence <= 1


@given(BLOCKS, BETAS)
def test_probabilities_of_the_decider_are_weighed(blocks: list[Block], beta: float) -> None:
    """With a decider, the set with the highest expected F-measure by its probabilities is kept."""
    seen = see(blocks)
    decision = decide(MODELS["network"], seen, beta)
    forbidden = np.isneginf(seen.log_odds)
    expected = sigmoid(seen.log_odds.clip(-8, 8))
    expected[forbidden] = 0
    assert expected.tolist() == pytest.approx(decision.probability.tolist(), abs=1e-3)
    choice = choose(decision.probability, seen.words, beta=beta)
    assert (choice.keep & ~forbidden).tolist() == decision.keep.tolist()


@given(BLOCKS, BETAS)
def test_expectation_decides_without_a_decider(blocks: list[Block], beta: float) -> None:
    """Without a decider, or with an adapter, the expected F-measure decides."""
    seen = see([(log_odds, words) for log_odds, words in blocks if log_odds > -30] or [(1.0, 1)])
    plain = MODELS["expectation"]
    own = replace(plain, adapter=ADAPTER, decider=make_decider())
    choice = choose(plain.calibration.choice_weight(seen.log_odds, 0), seen.words, beta=beta)
    for model in (plain, own):
        assert choice.keep.tolist() == decide(model, seen, beta).keep.tolist()
