"""Leaves and what lies between them, the same with the compiled steps and with numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tests.trees import NASTY_PAGES, soups
from thresher.leaves import (
    Mark,
    continue_text,
    find_leaves,
    find_leaves_arrays,
    mark_gaps,
    mark_gaps_arrays,
    measure_leaves,
    measure_leaves_arrays,
)
from thresher.parse import parse

MARKS = [
    ("neighbours", "<p>a<b>b</b>", [Mark.EDGE, 0, Mark.EDGE]),
    ("a line break", "<p>a<br>b", [Mark.EDGE, Mark.BROKEN, Mark.EDGE]),
    ("two of them", "<p>a<br><br>b", [Mark.EDGE, Mark.BROKEN | Mark.EDGE, Mark.EDGE]),
    ("white space", "<p>a<b> </b>b", [Mark.EDGE, Mark.WHITE, Mark.EDGE]),
    ("a link", "<p>a<a>b</a>c", [Mark.EDGE, Mark.OPENED, Mark.CLOSED, Mark.EDGE]),
    ("what goes on", "<p>a<a>, b</a>c", [Mark.EDGE, 0, Mark.CLOSED, Mark.EDGE]),
    (
        "a drawing's parts",
        "<p>a<svg><a>b</a></svg>c",
        [Mark.EDGE, Mark.OPENED, Mark.CLOSED, Mark.EDGE],
    ),
]


@pytest.mark.parametrize(
    ("html", "marks"), [case[1:] for case in MARKS], ids=[case[0] for case in MARKS]
)
def test_marks_say_what_is_between(html: str, marks: list[int]) -> None:
    """Each gap between leaves has the marks of all that is in it."""
    page = parse(html)
    leaves = find_leaves(page.tag, page.end, page.char_offset)
    columns = (page.buffer, page.tag, page.end, page.open_start, page.char_offset)
    assert marks == mark_gaps(*columns, leaves).tolist()


def assert_same(html: str) -> None:
    """Every array is that of the twin, kind and all."""
    page = parse(html)
    given_rows = (page.tag, page.end, page.char_offset)
    leaves, expected = find_leaves(*given_rows), find_leaves_arrays(*given_rows)
    columns = (page.buffer, page.tag, page.end, page.open_start, page.char_offset)
    inputs = (page.tag, page.end, page.word_offset, page.char_offset, page.in_link, page.leaves)
    ours = (*leaves, mark_gaps(*columns, leaves), *measure_leaves(*inputs))
    twins = (*expected, mark_gaps_arrays(*columns, leaves), *measure_leaves_arrays(*inputs))
    for theirs, our in zip(twins, ours, strict=True):
        np.testing.assert_array_equal(theirs, our)
        assert np.asarray(theirs).dtype == np.asarray(our).dtype


@given(soups())
def test_numpy_says_the_same_of_soup(html: str) -> None:
    """Leaves, rows without any, all marks and measures, whatever the soup."""
    assert_same(html)


@pytest.mark.parametrize("html", NASTY_PAGES.values(), ids=NASTY_PAGES)
def test_numpy_says_the_same_of_nasty_pages(html: str) -> None:
    """And on pages made to trip a scanner."""
    assert_same(html)


def test_what_goes_on_is_told_by_its_first_byte() -> None:
    """A comma continues a text, an opening bracket does not."""
    starts = np.array([0, 1, 2], np.int32)
    assert [True, False, False] == continue_text(b",(a", starts).tolist()
