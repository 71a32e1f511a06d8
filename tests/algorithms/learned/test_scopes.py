"""Scopes: readers' comments are excluded, included, or left to the network."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.scopes import excludes_comments, includes_comments
from thresher.roles import SCOPES

LEFT, ASKED, UP_TO_THE_NETWORK = (True, False), (False, True), (False, False)


def decide(scope: str, forum: float) -> tuple[bool, bool]:
    """Return whether comments are excluded, and whether they are included."""
    types = np.zeros(len(PAGE_TYPES))
    types[PAGE_TYPES.index("forum")] = forum
    place = SCOPES.index(scope)
    return excludes_comments(place, types), includes_comments(place, types)


@pytest.mark.parametrize(
    ("scope", "forum", "decision"),
    [
        ("auto", 0.0, LEFT),
        ("auto", 0.1875, LEFT),
        ("auto", 0.2, UP_TO_THE_NETWORK),
        ("auto", 1.0, UP_TO_THE_NETWORK),
        ("article", 0.0, LEFT),
        ("article", 1.0, LEFT),
        ("thread", 0.0, ASKED),
        ("thread", 0.4375, ASKED),
        ("thread", 0.5, UP_TO_THE_NETWORK),
        ("page", 0.0, UP_TO_THE_NETWORK),
        ("page", 1.0, UP_TO_THE_NETWORK),
    ],
)
def test_comments_by_scope_and_page(scope: str, forum: float, decision: tuple[bool, bool]) -> None:
    """Forums exclude comments under `article` only; other pages include them under `thread`."""
    assert decision == decide(scope, forum)


@given(st.sampled_from(SCOPES), st.floats(0, 1))
def test_no_scope_excludes_and_includes_comments(scope: str, forum: float) -> None:
    """Comments are never both excluded and included."""
    assert (True, True) != decide(scope, forum)


def test_scopes_are_those_of_the_library() -> None:
    """The network has an input for every public scope."""
    assert SCOPES == thresher.SCOPES
