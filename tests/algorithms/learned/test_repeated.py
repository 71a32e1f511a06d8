"""Repetition counts on articles, and not on pages where labels repeat."""

from __future__ import annotations

import numpy as np

from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.repeated import REPEATED_LOG_ODDS, weigh_repetition

SHARE = np.array([0.0, 0.5, 1.0])


def types_of(**probabilities: float) -> np.ndarray:
    """Return probabilities of page types, 0 where not given."""
    return np.array([probabilities.get(name, 0.0) for name in PAGE_TYPES])


def test_on_a_story_it_grows_with_the_share() -> None:
    """Nothing where nothing repeats, all where all other pages have it."""
    found = weigh_repetition(SHARE, types_of(article=0.75, forum=0.25)).tolist()
    assert [0.0, REPEATED_LOG_ODDS / 2, REPEATED_LOG_ODDS] == found


def test_on_a_product_it_says_nothing() -> None:
    """On product pages, from even odds on, repetition is ignored."""
    assert not weigh_repetition(SHARE, types_of(product=0.5, article=0.5)).any()


def test_between_it_says_less() -> None:
    """Its weight decreases with the probability of other page types."""
    found = weigh_repetition(SHARE, types_of(listing=0.25, article=0.75))
    assert REPEATED_LOG_ODDS / 2 == found[-1]
