"""Children of one container with the same tag and classes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.features.pages import measure


def test_children_alike_are_told_by_tag_and_class() -> None:
    """Siblings of one class are counted together, others apart."""
    found = measure("<div><p class=a>1<p class=a>2<p class=b>3</div>")
    assert [1.5, 1.5, 1] == found["alike1_count"].tolist()
    assert [0, 1, 0] == found["alike1_before"].tolist()
    assert [pytest.approx(2 / 3)] * 2 == found["alike1_share"].tolist()[:2]
    assert [0, 0, 0] == found["alike1_spread"].tolist()


def test_children_of_other_containers_are_not_alike() -> None:
    """Equal items of two lists are not siblings; the lists are."""
    found = measure("<ul><li>a<li>b</ul><ul><li>c<li>d</ul>")
    assert [1.5] * 4 == found["alike1_count"].tolist() == found["alike2_count"].tolist()
    assert [0, 1, 0, 1] == found["alike1_before"].tolist()
    assert [0, 0, 1, 1] == found["alike2_before"].tolist()


def test_lengths_that_differ_spread() -> None:
    """Of siblings with 1 and 3 words the mean is 2, and each is off by half of it."""
    found = measure("<p>a<p>b c <a href=x>d</a>")
    assert [log2p1(2)] * 2 == found["alike1_mean_words"].tolist()
    assert [0.25, 0.25] == found["alike1_spread"].tolist()
    assert [0.25, 0.25] == found["alike1_link_density"].tolist()


def test_wrapped_children_are_compared_by_their_wrapper() -> None:
    """What is compared is the container's child, whatever the block's own element."""
    found = measure("<div class=a><div><p>x</p></div></div><div class=a><h2>y</h2></div>")
    assert [1.5, 1.5] == found["alike1_count"].tolist()


def log2p1(count: int) -> float:
    """Return log2(1 + x), linear between powers of two."""
    return float(np.interp(count, [0, 1, 3, 7], [0, 1, 2, 3]))
