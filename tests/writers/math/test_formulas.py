"""Formulas."""

from __future__ import annotations

from typing import Final

import pytest

from tests.helpers.cases import cases
from tests.helpers.fixture_pages import document_keeping
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


@cases(__file__, "plain")
def test_formula_is_plain_when_it_has_only_symbols(html: str, expected: bool) -> None:
    """Only presentation MathML can be written unchanged."""
    page = parse(f"<body>{html}")
    assert expected == is_plain_formula(page, int(page.leaves[0]))


NUMBER: Final = '<td><span class="ltx_tag ltx_tag_equation">(2)</span></td>'


def row(*cells: str) -> str:
    """Return a row of LaTeXML's with cells and a number."""
    parts = "".join(f"<td class=ltx_eqn_cell>{cell}</td>" for cell in cells)
    return f'<tr class="ltx_equation ltx_eqn_row"><td></td>{parts}<td></td>{NUMBER}</tr>'


def math(tex: str) -> str:
    """Return a formula of LaTeXML's."""
    return f'<math alttext="\\displaystyle {tex}" display="inline"><mi>x</mi></math>'


def test_row_is_one_formula_in_html_and_text() -> None:
    """Other outputs must have the whole formula in its place too."""
    document = document_keeping(f"<p>x<table>{row(math('a_1'), math('=b'))}</table><p>y")
    assert "x\n\na_1 =b\n\ny" == document.text
    assert '<math display="block"><mrow><mi>x</mi></mrow><mrow>' in document.html
    assert "<table" not in document.html
