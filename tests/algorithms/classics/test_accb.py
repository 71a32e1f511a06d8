"""Gottron 2008, the adapted form: `ccb` without anchors in the content code vector."""

from __future__ import annotations

from math import exp

import pytest

from thresher.algorithms.classics import ccb
from thresher.algorithms.classics.accb import Params, select
from thresher.page.parse import parse

# Without the anchor's tags, six characters of text in a row: a b c d e f. One blur of radius 2, so
# a neighbour has weight NEAR and the next one FAR:
#   a, f  (1 + NEAR + FAR) / ALL      b, e  (1 + 2·NEAR + FAR) / ALL      c, d  1
NEAR, FAR = exp(-9 / 8), exp(-9 / 2)
ALL = 1 + 2 * NEAR + 2 * FAR
WORKED = '<p>ab<a href="/x">cd</a>ef</p>'
ONE_BLUR = Params(radius=2, max_blurs=1, cell_chars=1, threshold=0.85)


def test_text_is_one_run_when_only_anchors_divide_it() -> None:
    """Anchor tags count as neither text nor markup, as worked out by hand."""
    selection = select(parse(WORKED), ONE_BLUR)
    assert [True, True, True] == selection.keep.tolist()
    share = (2 + 3 * NEAR + 2 * FAR) / (2 * ALL)
    assert [share - 0.85] == pytest.approx(selection.score.tolist())
    assert "accb" == selection.method


def test_anchors_lower_scores_when_not_ignored() -> None:
    """The plain form drops text with an anchor that the adapted form keeps."""
    assert not ccb.select(parse(WORKED), ONE_BLUR).keep.any()


def test_other_tags_still_count_when_anchors_are_ignored() -> None:
    """Any other element between the characters counts as markup."""
    html = WORKED.replace("<a ", "<b ").replace("</a>", "</b>")
    assert not select(parse(html), ONE_BLUR).keep.any()
