"""Repetition on other pages of a site counts on articles, but not where labels repeat."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sites.pages import NOTICE, story
from thresher.algorithms.learned import repeated, select
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.repeated import REPEATED_LOG_ODDS, weigh_repetition
from thresher.page.parse import parse

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


def find_changed(html: str, repeated: dict[str, float]) -> list[str]:
    """Return the texts that are decided otherwise when some are on a share of the other pages."""
    page = parse(html)
    texts = [page.block_text(block) for block in range(len(page.blocks))]
    share = np.array([repeated.get(text, 0.0) for text in texts])
    changed = select(page).block_keep ^ select(page, None, share).block_keep
    return [texts[block] for block in changed.nonzero()[0]]


def test_only_what_repeats_changes() -> None:
    """A byline is decided as without a site when the title above it repeats."""
    title = "On oats and teachers"
    assert [NOTICE] == find_changed(story(2), {title: 1.0, NOTICE: 1.0})


def test_a_text_that_few_pages_have_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """At least half of the pages with its place must have a text that is removed."""
    monkeypatch.setattr(repeated, "REPEATED_LOG_ODDS", -100.0)
    assert [NOTICE] == find_changed(story(4), {NOTICE: 0.5})
    assert [] == find_changed(story(4), {NOTICE: 0.49})


def test_a_sentence_of_the_text_may_repeat() -> None:
    """What reads like text stays if most of the text beside it is on no other page."""
    html = story(4).partition("</div></article>")[0] + f"<p>{NOTICE}</p>"
    assert [] == find_changed(html, {NOTICE: 1.0})
