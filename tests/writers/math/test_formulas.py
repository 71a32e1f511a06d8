"""Formulas."""

from __future__ import annotations

import pytest

from thresher.page.parse import parse
from thresher.writers.math.formulas import find_annotated_tex, is_plain_formula

TEX = '<annotation encoding="application/x-tex">'


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<math><semantics><mi>x</mi>{TEX} x ^\n2 </annotation></semantics></math>", "x ^ 2"),
        (f"<math><mi>x</mi>{TEX}</annotation></math>", None),
        ("<math><mi>x</mi><annotation encoding=other>y</annotation></math>", None),
        ("<math><mi>x</mi></math>", None),
    ],
)
def test_tex_is_found_when_it_is_annotated(html: str, expected: str | None) -> None:
    """The TeX of a formula must be read, on one line."""
    page = parse(f"<body>{html}")
    assert expected == find_annotated_tex(page, int(page.leaves[0]))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<math><mrow><mi>x</mi></mrow></math>", True),
        ("<math></math>", True),
        ("<math>x</math>", False),
        ("<math><mtext><p>x</p></mtext></math>", False),
        ("<math><apply><ci>x</ci></apply></math>", False),
    ],
)
def test_formula_is_plain_when_it_has_only_symbols(html: str, expected: bool) -> None:
    """Only presentation MathML can be written unchanged."""
    page = parse(f"<body>{html}")
    assert expected == is_plain_formula(page, int(page.leaves[0]))
