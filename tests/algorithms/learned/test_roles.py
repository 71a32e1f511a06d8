"""Roles from scores, blocks outside a scope, and reasons."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from thresher.algorithms.learned.reasons import REASONS, Reason
from thresher.algorithms.learned.roles import find_out_of_scope, pick_roles
from thresher.roles import ROLES, SCOPE_ROLES

Scores = npt.NDArray[np.float32]

SCORES = arrays(
    np.float32,
    st.tuples(st.integers(0, 9), st.just(len(ROLES))),
    elements=st.integers(-80, 80).map(lambda n: n / 8),
)


def score(**probability: float) -> Scores:
    """Score one block whose roles have these probabilities; the others share the rest."""
    rest = (1 - sum(probability.values())) / (len(ROLES) - len(probability))
    return np.log([[probability.get(role, rest) for role in ROLES]]).astype(np.float32)


@pytest.mark.parametrize("role", ROLES)
def test_most_probable_role_is_picked(role: str) -> None:
    """Each block gets its most probable role."""
    codes = pick_roles(score(**{role: 0.5}))
    assert ("int8", [ROLES.index(role)]) == (codes.dtype.name, codes.tolist())


def test_nearly_equal_scores_give_the_first_role() -> None:
    """Of roles whose scores differ by less than a step, the first is chosen."""
    scores = np.zeros((1, len(ROLES)), np.float32)
    scores[0, 3] = 1e-5
    assert [0] == pick_roles(scores).tolist()


@given(SCORES, st.sampled_from(sorted(SCOPE_ROLES)), st.integers(-40, 40))
def test_only_differences_of_scores_count(scores: Scores, scope: str, more: int) -> None:
    """Adding the same number to all scores of a block changes nothing."""
    moved = (scores + np.float32(more)).astype(np.float32)
    assert pick_roles(scores).tolist() == pick_roles(moved).tolist()
    assert find_out_of_scope(scores, scope).tolist() == find_out_of_scope(moved, scope).tolist()


@given(SCORES)
def test_wider_scopes_exclude_less(scores: Scores) -> None:
    """Blocks excluded by `page` are excluded by `thread`, and those by `article`."""
    article, thread, page = (
        find_out_of_scope(scores, name) for name in ("article", "thread", "page")
    )
    assert (page <= thread).all()
    assert (thread <= article).all()


@given(SCORES, st.sampled_from(["article", "thread", "page"]))
def test_excluded_blocks_have_roles_out_of_scope(scores: Scores, scope: str) -> None:
    """A block is excluded if roles of other scopes have 90 % of its probability or more."""
    wanted = SCOPE_ROLES["article"] | SCOPE_ROLES["thread"] | SCOPE_ROLES["page"]
    left_out = [ROLES.index(role) for role in wanted - SCOPE_ROLES[scope]]
    power = np.exp(scores.astype(np.float64))
    share = power[:, left_out].sum(axis=1) / power.sum(axis=1)
    foreign = find_out_of_scope(scores, scope)
    assert (share[foreign] > 0.8999).all()
    assert (share[~foreign] < 0.9001).all()


@pytest.mark.parametrize(
    ("scope", "foreign"), [("article", True), ("thread", False), ("page", False), ("auto", False)]
)
def test_comments_are_out_of_scope_of_an_article(scope: str, foreign: bool) -> None:
    """A block that is almost certainly a comment is excluded by `article`, and only there."""
    assert [foreign] == find_out_of_scope(score(comment=0.99), scope).tolist()


def test_doubtful_blocks_are_not_excluded() -> None:
    """Less than 90 % does not exclude a block, and neither do roles that no scope includes."""
    assert [False] == find_out_of_scope(score(comment=0.8, body=0.1), "article").tolist()
    assert [False] == find_out_of_scope(score(navigation=0.95), "article").tolist()


def test_large_scores_do_not_overflow() -> None:
    """Very large scores do not overflow `exp`."""
    scores = np.full((1, len(ROLES)), -5e3, np.float32)
    scores[0, ROLES.index("comment")] = 5e3
    assert [ROLES.index("comment")] == pick_roles(scores).tolist()
    assert [True] == find_out_of_scope(scores, "article").tolist()


def test_every_reason_has_a_text() -> None:
    """Each code of a reason has a text of its own, at its index."""
    assert list(range(len(REASONS))) == list(Reason)
    assert len(REASONS) == len(set(REASONS))
