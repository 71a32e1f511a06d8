"""Readers' comments among what a method left out."""

from __future__ import annotations

import numpy as np

import thresher
from thresher.algorithms.learned.reasons import COMMENT_REASON
from thresher.compat.trafilatura_reading import find_dropped_comments
from thresher.selection import Selection

PAGE = """<main><h1>Fog</h1><p>No ships today, says the pilot.</p></main>
<div id="comments"><h2>Replies</h2><p>I heard the horn at nine.</p><p>So did I, from the mole.</p>
<p><a href="/in">Log in to reply</a></p></div>"""


def select(kept: set[int], comments: set[int]) -> Selection:
    """Keep some blocks of the page, and leave others out as comments."""
    page = thresher.read_page(PAGE)
    blocks = np.arange(len(page.blocks))
    return Selection.of_blocks(
        page,
        "learned",
        np.isin(blocks, list(kept)),
        score=np.zeros(blocks.size),
        reason_code=np.isin(blocks, list(comments)).astype(np.int16),
        reasons=("boilerplate", COMMENT_REASON),
    )


def texts_of(selection: Selection) -> list[str]:
    leaves = find_dropped_comments(selection).nonzero()[0]
    return selection.page.leaf_texts(leaves)


def test_comments_are_what_was_left_out_as_such() -> None:
    """Blocks with that reason are comments, but neither headings nor links alone."""
    assert ["I heard the horn at nine."] == texts_of(select({0, 1, 4}, {2, 3, 5}))


def test_names_decide_where_little_was_kept() -> None:
    """On a page of comments the method tells none apart: names do, for what is not kept."""
    found = ["I heard the horn at nine.", "So did I, from the mole.", "Log in to reply"]
    assert found == texts_of(select({0}, set()))


def test_names_are_not_asked_where_enough_was_kept() -> None:
    """A page whose comments the method would have told apart has none if it did not."""
    assert [] == texts_of(select({0, 1, 3}, set()))


def test_page_without_blocks_has_no_comments() -> None:
    """Nothing is found where nothing could be selected."""
    assert not find_dropped_comments(thresher.extract("<nav></nav>").selection).size
