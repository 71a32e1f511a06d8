"""The containers around a block, and the elements that hold most of the prose."""

from __future__ import annotations

import pytest

from tests.features.pages import STORY, measure


def test_containers_hold_what_is_in_them() -> None:
    """The nearest container of a block, its blocks and the block's place in it."""
    found = measure("<div><p>a<p>b</div><div><p>c<p>d<p>e<p>f</div>")
    assert [1.5, 1.5, *[2.25] * 4] == found["container1_blocks"].tolist()
    assert [0, 0.5, 0, 0.25, 0.5, 0.75] == found["container1_place"].tolist()
    assert [pytest.approx(1 / 3)] * 2 == found["container1_share"].tolist()[:2]
    assert [2.75] * 6 == found["container2_blocks"].tolist() == found["container4_blocks"].tolist()
    assert [1.5] * 6 == found["containers"].tolist()


def test_containers_say_what_they_are_made_of() -> None:
    """Links, prose and pictures are shares of the container, not of the block."""
    found = measure(f"<div><p>{STORY}<p><a href=x>more of it</a><p><img></div>")
    assert [pytest.approx(3 / 21)] * 3 == found["container1_link_density"].tolist()
    assert [pytest.approx(18 / 21)] * 3 == found["container1_prose"].tolist()
    assert [7] * 3 == found["container1_block_words"].tolist()
    assert [pytest.approx(1 / 3)] * 3 == found["container1_images"].tolist()
    assert [pytest.approx(1 / 3)] * 3 == found["container1_link_blocks"].tolist()


def test_dominant_element_holds_the_prose() -> None:
    """The smallest element with most of the prose is found, and the blocks before it."""
    found = measure(f"<div><p>x<p>y</div><div><p>{STORY}<p>{STORY}</div><p>z")
    assert [0, 0, 1, 1, 0] == found["dominant9_inside"].tolist()
    assert [1, 1, 0, 0, 0] == found["dominant9_before"].tolist()
    assert [pytest.approx(36 / 39)] * 5 == found["dominant9_share"].tolist()


def test_dominant_elements_lie_inside_each_other() -> None:
    """Half of the prose is in a smaller element than nine tenths of it."""
    found = measure(f"<div><section><p>{STORY}<p>{STORY}</section><p>{STORY}</div><p>z")
    assert [1, 1, 1, 0] == found["dominant9_inside"].tolist()
    assert [1, 1, 0, 0] == found["dominant5_inside"].tolist()


def test_without_prose_nothing_dominates() -> None:
    """Without prose blocks there is no dominant element."""
    found = measure("<p>a<p>b")
    for name in ("dominant5_inside", "dominant5_before", "dominant5_share"):
        assert [0, 0] == found[name].tolist()
