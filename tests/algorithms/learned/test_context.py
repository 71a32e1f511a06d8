"""The context of blocks, checked against values worked out by hand and against the kernel."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algorithms.learned.models import PAGE, features_of
from tests.helpers.compiled_steps import needs_steps
from thresher.algorithms.learned import context
from thresher.algorithms.learned.calibration import sigmoid
from thresher.algorithms.learned.context import N_INPUT, PageScores, describe_context, join_log_odds
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.roles import TextRoles
from thresher.native import kernels
from thresher.roles import ROLES, SCOPES

NESTED = (
    "<main><div><p>one two</p><p>three</p></div><div><p>four</p><img src=a><p>six</p></div></main>"
)
DEEP = "<div>" * 40 + "<p>rye</p>" * 30 + "</div>" * 40
PAGES = (PAGE, NESTED, DEEP, "<p>rye</p>", "<img src=a>")
AT_ROLES = 6
AT_SHIFTS = AT_ROLES + len(ROLES)
AT_SAME = AT_SHIFTS + len(context._SHIFTS)
AT_NEAREST = AT_SAME + 2
AT_CONTAINERS = AT_NEAREST + context._N_BESIDE * len(context._PROBABLE)
AT_PATTERNS = AT_CONTAINERS + context._N_OF_CONTAINER * context._N_CONTAINER
AT_PAGE = AT_PATTERNS + context._N_OF_PATTERN * context._N_PATTERN


def score(html: str, seed: int = 0, *, scope: int = 0, size: float = 3.0) -> PageScores:
    """Draw scores for the blocks of a page."""
    random = np.random.default_rng(seed)
    features = features_of(html)
    n_block = features.words.size
    log_odds = random.normal(0, size, n_block)
    log_odds[random.random(n_block) < 0.1] = -np.inf
    return PageScores.of(
        features,
        log_odds=log_odds,
        roles=random.normal(0, size, (n_block, len(ROLES))).astype(np.float32),
        types=random.dirichlet(np.ones(len(PAGE_TYPES))),
        scope=scope,
    )


def near(value: float) -> float:
    return float(np.clip(value, -context._NEAR, context._NEAR))


def roles_of(n_block: int, **probability: float) -> TextRoles:
    """Return roles with these probabilities for every block, 0 for all others."""
    return TextRoles._make(np.full(n_block, probability.get(name, 0)) for name in TextRoles._fields)


@pytest.mark.parametrize(
    ("probability", "forum", "by_role"),
    [
        ({"text": 0.5}, 0, 0.0),
        ({"text": 0.75}, 0, np.log(3)),
        ({"comment": 0.5}, 0, np.log(1e-4)),
        ({"comment": 0.5}, 1, 0.0),
        ({"text": 0.25, "comment": 1}, 0.5, np.log(3)),
        ({"text": 1}, 0, -np.log(1e-4)),
    ],
)
def test_log_odds_of_both_networks_are_averaged(
    probability: dict[str, float], forum: float, by_role: float
) -> None:
    """A block counts by its own log-odds and by its role, of which posts are content on forums."""
    types = np.zeros(len(PAGE_TYPES))
    types[PAGE_TYPES.index("forum")] = forum
    own = np.array([2.0, -4.0, -np.inf])
    joined = join_log_odds(own, roles_of(3, **probability), types)
    np.testing.assert_allclose(joined, (own + by_role) / 2, atol=1e-12)


def test_words_of_links_are_counted() -> None:
    """The number of words in links is counted for each block."""
    page = score("<p><a href=/a>one two</a><p>one two <a href=/b>three</a></p><img src=a alt=b>")
    assert [2, 1, 0] == pytest.approx(page.link_words.tolist())


@given(st.sampled_from(PAGES), st.integers(0, 999), st.integers(0, len(SCOPES) - 1))
def test_every_block_is_described(html: str, seed: int, scope: int) -> None:
    """Every block has as many numbers as the decider reads, and all of them are finite."""
    page = score(html, seed, scope=scope, size=20)
    inputs = describe_context(page)
    assert (page.words.size, N_INPUT) == inputs.shape
    assert np.isfinite(inputs).all()


@given(st.integers(0, 999))
def test_own_and_neighbouring_scores_are_inputs(seed: int) -> None:
    """A block is described by its log-odds and words, those of its neighbours, and its roles."""
    page = score(PAGE, seed)
    inputs = describe_context(page)
    for block, row in enumerate(inputs):
        assert near(page.log_odds[block]) / 3 == row[0]
        assert float(page.log_odds[block] > 0) == row[2]
        assert float(page.words[block] == 0) == row[5]
        for shift, value in zip(context._SHIFTS, row[AT_SHIFTS:], strict=False):
            there = 0 <= block + shift < page.words.size
            expected = near(page.log_odds[block + shift]) if there else -context._NEAR
            assert expected / 3 == value
    roles = inputs[:, AT_ROLES:AT_SHIFTS]
    assert (roles.argmax(axis=1) == page.roles.argmax(axis=1)).all()
    assert (roles <= 0).all()


def test_nearest_probable_blocks_are_found() -> None:
    """Distances and levels to the nearest probable blocks are as worked out by hand."""
    page = score(NESTED)
    page = page._replace(log_odds=np.array([3.0, -1.0, -2.0, -3.0, 1.0]))
    row = describe_context(page)[2]  # "four", in the second division
    before = [np.log1p(2) / 2, np.log1p(1) / 3, 1 / 3, 1 / 3]
    after = [np.log1p(2) / 2, np.log1p(0) / 3, 0 / 3, 0 / 3]
    found = row[AT_NEAREST : AT_NEAREST + 10]
    np.testing.assert_allclose(found, [*before, *after, 1 / 3, 1])
    surely = row[AT_NEAREST + 10 : AT_NEAREST + 20]
    far = [context._FAR_BLOCKS / 2, context._FAR_WORDS / 3, *[context._FAR_LEVELS / 3] * 2]
    np.testing.assert_allclose(surely, [*before, *far, context._FAR_LEVELS / 3, 0])


def test_containers_are_described_by_their_blocks() -> None:
    """The mean probability of a container is that of its blocks, also weighted by words."""
    page = score(NESTED)
    page = page._replace(log_odds=np.array([0.0, 8.0, -8.0, -8.0, -8.0]))
    row = describe_context(page)[0]
    high = sigmoid(np.float64(8))
    own = row[AT_CONTAINERS : AT_CONTAINERS + 5]
    by_words = (2 * 0.5 + high + 0.1) / (3 + 0.2)
    expected = [(0.5 + high) / 2, by_words, np.log1p(2) / 3, np.log1p(3) / 3, 0]
    np.testing.assert_allclose(own, expected)


def test_blocks_of_a_pattern_are_described_by_the_others() -> None:
    """A block's pattern is described by its other blocks; where there are none, by itself."""
    page = score("<ul><li>a b<li>c<li>d</ul><p>e</p>")
    page = page._replace(log_odds=np.array([-1.0, 3.0, 1.0, 2.0]))
    item, alone = describe_context(page)[[0, 3]][:, AT_PATTERNS:AT_PAGE]
    likely = sigmoid(np.array([3.0, 1.0]))
    np.testing.assert_allclose(item, np.tile([np.log1p(2) / 3, 2 / 3, *[likely.mean()] * 2], 2))
    np.testing.assert_allclose(alone, np.tile([0, 2 / 3, *[sigmoid(np.float64(2))] * 2], 2))


@given(st.integers(0, 999), st.integers(0, len(SCOPES) - 1))
def test_page_inputs_are_the_same_for_all_blocks(seed: int, scope: int) -> None:
    """All blocks share the inputs for the page, its types and the scope."""
    page = score(PAGE, seed, scope=scope)
    of_page = describe_context(page)[:, AT_PAGE:]
    assert (of_page == of_page[0]).all()
    types, asked = of_page[0, -len(SCOPES) - len(PAGE_TYPES) :], of_page[0, -len(SCOPES) :]
    assert page.types.tolist() == types[: len(PAGE_TYPES)].tolist()
    assert [float(place == scope) for place in range(len(SCOPES))] == asked.tolist()


@given(st.integers(0, 999), st.integers(1, 6))
def test_distant_blocks_matter_only_as_part_of_the_page(seed: int, place: int) -> None:
    """The roles of one block change the inputs of no other block."""
    page = score(PAGE, seed)
    other = page.roles.copy()
    other[place, 0] += 3
    changed = describe_context(page) != describe_context(page._replace(roles=other))
    assert changed[place].any()
    assert not np.delete(changed, place, axis=0).any()


@needs_steps
@given(
    st.sampled_from(PAGES),
    st.integers(0, 999),
    st.integers(0, len(SCOPES) - 1),
    st.sampled_from([0.1, 3.0, 20.0]),
)
def test_compiled_step_equals_numpy(html: str, seed: int, scope: int, size: float) -> None:
    """The compiled kernel equals the numpy definition, except for the last bits of logarithms."""
    page = score(html, seed, scope=scope, size=size)
    expected: npt.NDArray[np.float64] = describe_context.definition(page)
    np.testing.assert_allclose(describe_context(page), expected, rtol=1e-12, atol=1e-12)


@needs_steps
def test_impossible_containers_and_patterns_are_refused() -> None:
    """The compiled kernel reads no block outside the page."""
    page = score(NESTED)
    assert kernels.steps is not None
    for change in (-1, 99):
        first = page.chain.first.copy()
        first[0, 0] = change
        broken = page._replace(chain=replace(page.chain, first=first))
        assert context._describe_context_by_step(kernels.steps, broken) is None
        patterns = page.patterns.copy()
        patterns[1, 0] = change
        broken = page._replace(patterns=patterns)
        assert context._describe_context_by_step(kernels.steps, broken) is None
