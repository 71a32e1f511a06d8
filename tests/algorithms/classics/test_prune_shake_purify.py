"""Beer 2014, checked against scores worked out by hand from its formula."""

from __future__ import annotations

import pytest

import thresher
from tests.algorithms.kept import kept
from thresher import Selection
from thresher.page.parse import parse


def select(html: str, **params: object) -> Selection:
    return thresher.select(parse(html), "prune_shake_purify", params)


@pytest.mark.parametrize(
    ("html", "score"),
    [
        ("<div>one two three</div>", 2),
        ("<div>one <a href=#>two three</a></div>", -3),
        ("<div>a b c d e <a href=#>f</a><br></div>", 1),
        ("<div><i></i><b>word</b></div>", -2),
    ],
)
def test_score_is_words_less_links_and_tags_when_shaken(html: str, score: float) -> None:
    """A block's score is Words − 2·LinkWords − Tags of its subtree; 0 or more is kept."""
    selection = select(html)
    assert [score] == selection.score.tolist()
    assert [score >= 0] == selection.block_keep.tolist()


def test_block_kept_when_a_block_inside_is_kept() -> None:
    """A block around a kept one is kept, and loses only children with negative scores."""
    html = (
        "<div><div><a href=#>many words in one link</a></div>"
        "<div>six words that are no link</div>head</div>"
    )
    selection = select(html)
    assert ["six words that are no link", "head"] == kept(selection)
    assert "links and tags outweigh words" == selection.reason(0)
    assert "no block of its own, or around one that is kept" == selection.reason(2)


def test_deleted_child_still_counts_when_parent_is_scored() -> None:
    """Decisions are independent: the parent's score includes words and tags of deleted children."""
    html = "<div><div><a href=#>x y</a><a href=#>z</a></div>one two three four five</div>"
    # Inner: 3 − 6 − 3 = −6. Outer: 8 − 6 − 4 = −2, although it would score 4 without the inner one.
    assert [] == kept(select(html))


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ('<div class="UserComments">ten words or more</div>', "poison word in a class name"),
        ("<nav>a b c d e f g</nav>", "inside a tag that is always pruned"),
        ("<aside><div>a b c d</div></aside>", "inside a tag that is always pruned"),
    ],
)
def test_element_pruned_when_it_is_boilerplate(html: str, reason: str) -> None:
    """Poison words and pruned tags delete a subtree regardless of its score."""
    selection = select(html)
    assert [] == kept(selection)
    assert reason == selection.reason(0)


def test_page_kept_when_the_body_has_a_poison_word() -> None:
    """Classes of the whole page do not delete it."""
    assert ["a few words"] == kept(select('<body class="comments-open"><div>a few words</div>'))


def test_byline_kept_when_its_score_is_negative() -> None:
    """A blessed element is kept, with its descendants and its ancestors."""
    html = '<div><div class="byline"><div><a href=#>Ada Miller</a></div></div></div>'
    selection = select(html)
    assert ["Ada Miller"] == kept(selection)
    assert "blessed by a class name" == selection.reason(0)
    assert [] == kept(select(html, blessed_words=""))


def test_poisoned_element_pruned_when_it_is_blessed() -> None:
    """Pruning comes first: an element that it deletes cannot be blessed."""
    assert [] == kept(select('<div class="comment author">some words here</div>'))


def test_weights_take_effect_when_set() -> None:
    """If links and tags cost nothing, every block is kept."""
    html = "<div><a href=#>two words</a></div>"
    assert [] == kept(select(html))
    assert ["two words"] == kept(select(html, link_weight=0, tag_weight=1))
