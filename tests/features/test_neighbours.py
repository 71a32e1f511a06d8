"""Features of the blocks next to a block."""

from __future__ import annotations

import pytest

from tests.features.pages import measure


def test_neighbours_on_either_side() -> None:
    """A block has its neighbours' words, marks and links; at the ends they are 0."""
    found = measure("<p>a b c.<p>d<h2><a href=x>e</a></h2>")
    assert [0, 2, 1] == found["previous_words"].tolist()
    assert [1, 1, 0] == found["next_words"].tolist()
    assert [0, 1, 0] == found["previous_terminators"].tolist()
    assert [0, 1, 0] == found["next_link_density"].tolist()
    assert [0, 1, 0] == found["previous_same_tag"].tolist()
    assert [1, 0, 0] == found["next_same_tag"].tolist()


def test_blocks_within_reach() -> None:
    """Two blocks on either side and the block itself are looked at together."""
    found = measure("<p>1 2 3 4<p>1<p>1<p>1<p>1 2 <a href=x>3</a>")
    assert [2, 1.75, 2, 1.5, pytest.approx(5 / 3)] == found["around2_words"].tolist()
    assert [2] * 5 == found["around6_words"].tolist()
    assert [pytest.approx(0.1)] * 5 == found["around6_link_density"].tolist()
    assert [0] * 5 == found["around6_prose"].tolist()
