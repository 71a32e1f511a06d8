"""Holes, foreign words and perfect pages are counted as a reader would count them."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.evaluation.block_losses import (
    BlockGold,
    average_losses,
    count_losses,
    flag_kept,
    flag_shown,
    read_role_gold,
    read_text_gold,
)
from thresher.evaluation.role_labels.labels import RoleLabel
from thresher.extraction import extract
from thresher.page.parse import parse
from thresher.roles import ROLES

_HTML = (
    "<nav>Home</nav><h1>The rye is in</h1><p>By Ada Field</p><p>It was a good year.</p>"
    "<p>The rain came late.</p><img src=a><p>Nobody minded that.</p><p>Buy our flour now</p>"
)
_PAGE = parse(_HTML)
_ROLES = ("navigation", "title", "byline", "body", "body", "caption", "body", "advertisement")
_TEXT = "It was a good year.\nThe rain came late.\nNobody minded that."


def by_role(kind: str = "article", roles: tuple[str, ...] = _ROLES) -> BlockGold:
    """The gold of the page by a label of its roles."""
    codes = np.array([ROLES.index(role) for role in roles], np.int8)
    return read_role_gold(_PAGE, RoleLabel("mine", "rye", "", "r1", codes, kind))


def count(gold: BlockGold, *kept: int, text: str = "") -> tuple[int, int, int, bool]:
    """Keep some blocks; return lost blocks, holes, foreign words, and whether it is perfect."""
    flags = np.zeros(len(_PAGE.blocks), np.bool_)
    flags[list(kept)] = True
    losses = count_losses(gold, flags, text, _TEXT)
    return losses.n_lost, losses.n_hole, losses.n_foreign_word, losses.is_perfect


@pytest.mark.parametrize("gold", [by_role(), read_text_gold(_PAGE, _TEXT, _ROLES)])
def test_losses_are_counted(gold: BlockGold) -> None:
    """By roles as by a text: a lost block between kept ones is a hole, other text is foreign."""
    assert (0, 0, 0, True) == count(gold, 3, 4, 6)
    assert (1, 1, 0, False) == count(gold, 3, 6)
    assert (1, 0, 0, False) == count(gold, 3, 4)
    assert (0, 0, 5, False) == count(gold, 0, 3, 4, 6, 7)
    assert (3, 0, 0, False) == count(gold)


def test_titles_bylines_and_pictures_are_neither_lost_nor_foreign() -> None:
    """Titles and bylines do not count, kept or not, nor do pictures without words."""
    assert (0, 0, 0, True) == count(by_role(), 1, 2, 3, 4, 5, 6)


def test_word_f1_is_without_titles_and_bylines() -> None:
    """The word F1 leaves out the words of titles and bylines on both sides."""
    flags = np.array([False, True, True, True, True, False, True, False])
    text = f"The rye is in\nBy Ada Field\n{_TEXT}"
    assert 1.0 == count_losses(by_role(), flags, text, _TEXT).word.f1


def test_comments_are_content_of_threads_only() -> None:
    """What others wrote is content of a forum's page, and foreign on an article's."""
    roles = (*_ROLES[:6], "comment", "advertisement")
    assert (0, 0, 3, False) == count(by_role("article", roles), 3, 4, 6)
    assert (0, 0, 0, True) == count(by_role("forum", roles), 3, 4, 6)


def test_blocks_are_kept_or_shown_by_half_of_their_words() -> None:
    """A selection keeps a block, and a text shows one, from half of its words on."""
    document = extract(_HTML, method="keep_all")
    assert [True] * 5 + [False] + [True] * 2 == flag_kept(document.selection).tolist()
    shown = flag_shown(_PAGE, "It was a good day. The")
    assert shown is not None
    assert [3] == np.flatnonzero(shown).tolist()


def test_means_are_over_pages_and_words_over_all() -> None:
    """Shares of pages are over pages, lost blocks and foreign words over all of them together."""
    flags = np.zeros(8, np.bool_)
    flags[[3, 4, 6]] = True
    whole = count_losses(by_role(), flags, _TEXT, _TEXT)
    flags[4], flags[7] = False, True
    torn = count_losses(by_role(), flags, "", _TEXT)
    means = average_losses("mill", [whole, torn])
    assert (0.5, 0.5) == (means.hole_pages, means.perfect_pages)
    assert (1 / 6, 4 / 24) == (means.lost_blocks, means.foreign_words)
    assert {"body": 4} == means.lost_by_role
    assert {"advertisement": 4} == means.foreign_by_role
