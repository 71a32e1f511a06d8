"""Leaves and what lies between them, by numpy; `test_blocks` compares the compiled step."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.page.leaves import Mark, continue_text, find_leaves, mark_gaps
from thresher.page.parse import parse

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
    leaves = find_leaves(page.tag, page.end, page.chars_before)
    columns = (page.buffer, page.tag, page.end, page.open_start, page.chars_before)
    assert marks == mark_gaps(*columns, leaves).tolist()


def test_what_goes_on_is_told_by_its_first_byte() -> None:
    """A comma continues a text, an opening bracket does not."""
    starts = np.array([0, 1, 2], np.int32)
    assert [True, False, False] == continue_text(b",(a", starts).tolist()
