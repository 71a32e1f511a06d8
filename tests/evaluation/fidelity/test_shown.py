"""Characters and spaces that the page does not show are found."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.evaluation.fidelity.properties import compare_shown
from thresher.page.parse import parse


@pytest.mark.parametrize(
    ("html", "written", "expected"),
    [
        ("<p>a rye b", "<p>a rye b", []),
        ("<p>r<b>y</b>e", "<p>r<em>y</em>e", []),
        ("<p>r<b>y</b>e", "<p>r ye", ["spaces"]),
        ("<p>rye", "<p>r<br>ye", ["spaces"]),
        ("<p>a rye", "<p>arye", ["spaces"]),
        ("<p>a</p><p>b", "<p>ab", ["spaces"]),
        ("<p>a</p><p>b", "<p>a b", []),
        ("<p>a<br>b", "<p>ab", ["spaces"]),
        ("<p>r<b class=x>y</b>e", "<p>r y e", []),
        ("<p>a<i class=x></i>b", "<p>a b", []),
        ("<p><a href=/a>a</a><a href=/b>b</a>", "<p>a b", []),
        ("<p>r\u00adye", "<p>rye", []),
        ("<p>rye", "<p>rye*", ["characters"]),
        ("<p>rye", "<p>rye 1", []),
        ("<p><q>rye</q>", "<p>“rye”", []),
        ("<table><tr><td><ul><li>a</ul>", "<p>- a", []),
        ("<p>a<ruby>b<rt>c</ruby>", "<p>ab(c)", []),
        ("<p>a <math><mi>b</mi></math> c", "<p>a <math><mi>x</mi></math> c", []),
        ("<p>rye", None, []),
    ],
)
def test_differences_are_found(html: str, written: str | None, expected: list[str]) -> None:
    """Only what elements without a class leave together is a word, and lines and blocks part."""
    page = parse(f"<body>{html}")
    keep = np.ones(page.leaves.size, np.bool_)
    found = list(compare_shown(page, keep, parse(f"<body>{written}") if written else None))
    assert expected == [name for name, _ in found]


def test_dropped_texts_and_added_ones_do_not_count() -> None:
    """What is between kept texts may be dropped, and known additions are no inventions."""
    page = parse("<body><p>a<b>b</b>c")
    keep = np.array([True, False, True])
    assert [] == list(compare_shown(page, keep, parse("<body><p>a c")))
    assert [] == list(compare_shown(page, keep, parse("<body><p>x a c"), ["x"]))
