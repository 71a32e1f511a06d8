"""Leaves and the gaps between them, by numpy; `test_blocks` compares the compiled step."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.page.leaves import GapMark, continue_text, find_leaves, mark_gaps
from thresher.page.parse import parse

MARKS = [
    ("neighbours", "<p>a<b>b</b>", [GapMark.EDGE, 0, GapMark.EDGE]),
    ("a line break", "<p>a<br>b", [GapMark.EDGE, GapMark.BROKEN, GapMark.EDGE]),
    ("two of them", "<p>a<br><br>b", [GapMark.EDGE, GapMark.BROKEN | GapMark.EDGE, GapMark.EDGE]),
    ("white space", "<p>a<b> </b>b", [GapMark.EDGE, GapMark.WHITE, GapMark.EDGE]),
    ("a link", "<p>a<a>b</a>c", [GapMark.EDGE, GapMark.OPENED, GapMark.CLOSED, GapMark.EDGE]),
    ("what goes on", "<p>a<a>, b</a>c", [GapMark.EDGE, 0, GapMark.CLOSED, GapMark.EDGE]),
    (
        "a drawing's parts",
        "<p>a<svg><a>b</a></svg>c",
        [GapMark.EDGE, GapMark.OPENED, GapMark.CLOSED, GapMark.EDGE],
    ),
]


@pytest.mark.parametrize(
    ("html", "marks"), [case[1:] for case in MARKS], ids=[case[0] for case in MARKS]
)
def test_marks_say_what_is_between(html: str, marks: list[int]) -> None:
    """Each gap between leaves has the marks of all that is in it."""
    page = parse(html)
    leaves = find_leaves(page.tag, page.end, page.chars_before, np.zeros(len(page), np.bool_))
    columns = (page.buffer, page.tag, page.end, page.open_start, page.chars_before)
    assert marks == mark_gaps(*columns, leaves).tolist()


def test_what_goes_on_is_told_by_its_first_byte() -> None:
    """A comma continues a text, an opening bracket does not."""
    starts = np.array([0, 1, 2], np.int32)
    assert [True, False, False] == continue_text(b",(a", starts).tolist()
