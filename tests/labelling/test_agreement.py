"""Agreement of two labellers, checked against values worked out by hand."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.labelling.decisions import agree, find_kappa
from thresher.labelling.model import Label


def mask(bits: str) -> npt.NDArray[np.bool_]:
    return np.array([bit == "1" for bit in bits], np.bool_)


def label(page: int, bits: str, text: str = "") -> Label:
    return Label(page, "Ida", mask(bits), text)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("1100", "1100", 1.0),
        ("1100", "0011", -1.0),
        ("1100", "1010", 0.0),
        ("1110000000", "1100000001", 1 - 0.2 / 0.42),
        ("0000", "0000", None),
        ("", "", None),
    ],
)
def test_kappa(first: str, second: str, expected: float | None) -> None:
    """κ is (observed − chance) / (1 − chance), and undefined if chance agreement is 1."""
    assert pytest.approx(expected) == find_kappa(mask(first), mask(second))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
def test_kappa_is_symmetric(pairs: list[tuple[bool, bool]]) -> None:
    """Swapping the labellers does not change κ, which is at most 1."""
    first, second = (np.array(side, np.bool_) for side in zip(*pairs, strict=True))
    one, other = find_kappa(first, second), find_kappa(second, first)
    assert pytest.approx(one) == other
    assert one is None or one <= 1


def test_agreement_over_pages() -> None:
    """Only pages labelled by both count, the pages with most differences first."""
    mine = [label(1, "110", "a b"), label(2, "111", "x y z"), label(3, "1")]
    theirs = [label(2, "110", "x y"), label(1, "110", "a b"), Label(3, "Tom", None, None)]
    found = agree(mine, theirs)
    assert found is not None
    assert [(2, 1), (1, 0)] == [(page.page, page.n_differing) for page in found.pages]
    assert pytest.approx((0.8 + 1) / 2) == found.f1
    assert 6 == found.n_block
    assert agree(mine, []) is None


def test_agreement_when_block_counts_differ() -> None:
    """Masks of different lengths cannot be compared, but their texts can."""
    found = agree([label(1, "11", "a b")], [label(1, "111", "a b")])
    assert found is not None
    assert (None, 1.0, 0) == (found.kappa, found.f1, found.n_block)
