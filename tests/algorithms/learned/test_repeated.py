"""Repetition on other pages of a site counts on articles, but not where labels repeat."""

from __future__ import annotations

import numpy as np

from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.repeated import REPEATED_LOG_ODDS, weigh_repetition

SHARE = np.array([0.0, 0.5, 1.0])


def types_of(**probabilities: float) -> np.ndarray:
    """Return probabilities of page types, 0 for those not given."""
    return np.array([probabilities.get(name, 0.0) for name in PAGE_TYPES])


def test_weight_on_an_article_grows_with_the_share() -> None:
    """The weight is 0 for a text on no other page, and full for a text on all other pages."""
    found = weigh_repetition(SHARE, types_of(article=0.75, forum=0.25)).tolist()
    assert [0.0, REPEATED_LOG_ODDS / 2, REPEATED_LOG_ODDS] == found


def test_repetition_is_ignored_on_products() -> None:
    """Repetition is ignored if the page is a product page with a probability of 1/2 or more."""
    assert not weigh_repetition(SHARE, types_of(product=0.5, article=0.5)).any()


def test_weight_decreases_with_other_page_types() -> None:
    """The weight of repetition decreases with the probability of page types where labels repeat."""
    found = weigh_repetition(SHARE, types_of(listing=0.25, article=0.75))
    assert REPEATED_LOG_ODDS / 2 == found[-1]
