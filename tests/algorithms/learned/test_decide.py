"""The decision: kept blocks for every β, forbidden blocks, and reported candidates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algorithms.learned.models import features_of, make_chooser, make_model, prefer
from thresher.algorithms.learned.adapter import Adapter
from thresher.algorithms.learned.candidates import CANDIDATES, find_candidates
from thresher.algorithms.learned.choice import choose
from thresher.algorithms.learned.decide import Decision, DecisionInputs, count_link_words, decide
from thresher.algorithms.learned.model import Model
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.roles import SCOPES

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
    **{f"chooser {seed}": make_model(chooser=make_chooser(seed)) for seed in range(3)},
    **{name: make_model(chooser=prefer(place)) for place, name in enumerate(CANDIDATES)},
}
models = st.sampled_from(sorted(MODELS)).map(MODELS.__getitem__)


def see(blocks: list[Block], scope: int = 0) -> DecisionInputs:
    log_odds, words = zip(*blocks, strict=True)
    n_word = np.array(words, np.int64)
    types = np.full(len(PAGE_TYPES), 1 / len(PAGE_TYPES))
    return DecisionInputs(np.array(log_odds), n_word, n_word / 2, types, -3.0, scope)


@given(models, BLOCKS, st.tuples(BETAS, BETAS).map(sorted))
def test_no_block_is_lost_when_recall_counts_more(
    model: Model, blocks: list[Block], betas: list[float]
) -> None:
    """Every block that is kept for some β is kept for any larger β."""
    few, many = (decide(model, see(blocks), beta).keep for beta in betas)
    assert (few <= many).all()


@given(models.filter(lambda model: model.chooser is not None), BLOCKS, BETAS)
def test_forbidden_blocks_are_dropped(model: Model, blocks: list[Block], beta: float) -> None:
    """No block with log-odds of −∞ is kept, for any β, even if there are no other blocks."""
    seen = see(blocks)
    assert not decide(model, seen, beta).keep[np.isneginf(seen.log_odds)].any()


@given(BLOCKS, BETAS)
def test_forbidden_blocks_are_dropped_without_a_chooser(blocks: list[Block], beta: float) -> None:
    """Without a chooser, too, no block with log-odds of −∞ is kept."""
    seen = see(blocks)
    assert not decide(MODELS["expectation"], seen, beta).keep[np.isneginf(seen.log_odds)].any()


@given(models, BLOCKS, BETAS)
def test_confidence_does_not_depend_on_beta(model: Model, blocks: list[Block], beta: float) -> None:
    """Confidence and candidates are those of β = 1, whatever the caller favours."""
    balanced, favoured = (decide(model, see(blocks), each) for each in (1, beta))
    assert balanced.confidence == favoured.confidence
    assert balanced.candidates == favoured.candidates
    assert 0 <= favoured.confidence <= 1


@given(st.integers(0, len(CANDIDATES) - 1), BLOCKS, st.integers(0, 3))
def test_chosen_candidate_is_kept(place: int, blocks: list[Block], scope: int) -> None:
    """With β = 1, the blocks that reach the cut of the chosen candidate are kept."""
    seen = see(blocks, scope)
    log_odds = np.maximum(seen.log_odds, -30)
    found = find_candidates(
        *(log_odds, seen.words, seen.link_words, seen.types),
        empty_score=seen.empty_score,
        scope=scope,
    )
    decision = decide(MODELS[CANDIDATES[place]], seen, 1.0)
    assert (seen.log_odds >= found.cut[place]).tolist() == decision.keep.tolist()


def see_article(blocks: list[Block], scope: int, certainty: float = 0.9) -> DecisionInputs:
    types = np.full(len(PAGE_TYPES), (1 - certainty) / (len(PAGE_TYPES) - 1))
    types[PAGE_TYPES.index("article")] = certainty
    return see(blocks, scope)._replace(types=types)


TEASERS: list[Block] = [(0.5, 40), (-1.5, 30), *[(-3.0, 90)] * 9]
"""A story that the network is unsure of, among teasers."""


@pytest.mark.parametrize("scope", ["auto", "article"])
def test_improbable_blocks_of_an_article_are_dropped(scope: str) -> None:
    """On a page that is surely an article, the lowest cut does not keep what is hardly content."""
    seen = see_article(TEASERS, SCOPES.index(scope))
    decision = decide(MODELS[CANDIDATES[0]], seen, 1.0)
    assert [True, True, *[False] * 9] == decision.keep.tolist()


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param(see_article(TEASERS, SCOPES.index("auto"), 0.7), id="no certain article"),
        pytest.param(see_article(TEASERS, SCOPES.index("thread")), id="thread"),
        pytest.param(see_article(TEASERS, SCOPES.index("page")), id="page"),
        pytest.param(see_article(TEASERS[1:], SCOPES.index("auto")), id="no probable block"),
    ],
)
def test_improbable_blocks_of_other_pages_are_kept(seen: DecisionInputs) -> None:
    """On other pages, and where no block is probable, the lowest cut keeps improbable blocks."""
    assert decide(MODELS[CANDIDATES[0]], seen, 1.0).keep.all()


@given(models.filter(lambda model: model.chooser is not None), BLOCKS)
def test_candidates_are_reported(model: Model, blocks: list[Block]) -> None:
    """All candidates are reported in order; exactly one is chosen, and it has the highest score."""
    told = decide(model, see(blocks), 1.0).candidates
    assert list(CANDIDATES) == [each.name for each in told]
    (chosen,) = [each for each in told if each.is_chosen]
    assert max(each.score for each in told) == chosen.score
    assert all(0 <= each.expected <= 1 for each in told)
    fixed = CANDIDATES.index("log-odds of 0 or more")
    assert sum(words for log_odds, words in blocks if log_odds >= 0) == told[fixed].words


@given(BLOCKS, BETAS)
def test_expectation_decides_without_a_chooser(blocks: list[Block], beta: float) -> None:
    """Without a chooser, or with an adapter, the expected measure decides and none is reported."""
    seen = see([(log_odds, words) for log_odds, words in blocks if log_odds > -30] or [(1.0, 1)])
    plain = MODELS["expectation"]
    own = replace(plain, adapter=ADAPTER, chooser=make_chooser())
    choice = choose(plain.calibration.choice_weight(seen.log_odds, 0), seen.words, beta=beta)
    for model in (plain, own):
        decision = decide(model, seen, beta)
        assert choice.keep.tolist() == decision.keep.tolist()
        assert () == decision.candidates


def test_blocks_that_are_all_forbidden() -> None:
    """If all blocks are forbidden, none is kept."""
    for beta in (0.5, 1.0, 2.0):
        decision: Decision = decide(MODELS[CANDIDATES[0]], see([(-np.inf, 9), (-np.inf, 3)]), beta)
        assert [False, False] == decision.keep.tolist()


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<p>one two</p>", [0]),
        ("<p><a href=/a>one two</a></p>", [2]),
        ("<p>one two <a href=/a>three</a></p><img src=a alt=b>", [1, 0]),
    ],
)
def test_words_of_links_are_counted(html: str, words: list[int]) -> None:
    """The number of words in links is counted for each block."""
    counted = count_link_words(features_of(html))
    assert np.float64 == counted.dtype
    assert words == pytest.approx(counted.tolist())
