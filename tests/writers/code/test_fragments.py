"""Doxygen's fragments of code."""

from __future__ import annotations

import pytest

from thresher.page.parse import parse
from thresher.writers.code.fragments import find_fragments

LINE = "<div class='line'>a</div>"


@pytest.mark.parametrize(
    ("html", "n_found"),
    [
        (f"<div class=fragment>{LINE}{LINE}</div>", 1),
        (f"<div class='x fragment'>{LINE}</div><div class=fragment>{LINE}</div>", 2),
        ("<div class=fragment><p>a slide</p></div>", 0),
        (f"<div class=fragment><section>{LINE}</section></div>", 0),
        (f"<div class=fragments>{LINE}</div>", 0),
        (f"<p>fragment{LINE}", 0),
    ],
)
def test_fragments_hold_lines(html: str, n_found: int) -> None:
    """Only a `div` of this class whose own children are lines is one."""
    assert n_found == find_fragments(parse(html)).size
