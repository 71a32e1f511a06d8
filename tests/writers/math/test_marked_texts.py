"""Texts that an element marks as a formula."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import thresher
from thresher.page.parse import parse
from thresher.writers.math.tex import find_marked_texts

CASES: Final[dict[str, list[tuple[str, bool]]]] = {
    "<math-renderer>$a^2$</math-renderer>": [("a^2", False)],
    "<math-renderer class=js-display-math>$$a\nb$$</math-renderer>": [("a b", True)],
    "<span class='math inline'>\\(x\\)</span>": [("x", False)],
    "<div class='math notranslate'>\\[x\\]</div>": [("x", True)],
    "<div class=arithmatex>\\begin{align}x\\end{align}</div>": [
        ("\\begin{align}x\\end{align}", True)
    ],
    "<script src=katex.js></script><span class='math display'>x_2</span>": [("x_2", True)],
    "<span class='math display'>x_2</span>": [],
    "<span class=math>Maths</span>": [],
    "<span class=math>$5 <b>or</b> 6$</span>": [],
    "<pre><span class=math>$5$</span></pre>": [],
    "<p class=aftermath>$5$": [],
}


@pytest.mark.parametrize(("html", "expected"), CASES.items())
def test_formula_is_found_when_its_element_marks_it(
    html: str, expected: list[tuple[str, bool]]
) -> None:
    """The only text of a marked element is a formula if it is between delimiters."""
    page = parse(f"<body>{html}")
    keep = np.ones(page.leaves.size, np.bool_)
    assert expected == [*find_marked_texts(page, keep).values()]


def test_other_dollars_stay_dollars() -> None:
    """Only the marked text is a formula, in a page that names no script for formulas."""
    html = "<p>It is <math-renderer>$a$</math-renderer>.<p>From $5 or 6$."
    text = thresher.extract(html, method="keep_all").markdown
    assert "It is $a$.\n\nFrom \\$5 or 6$." == text
