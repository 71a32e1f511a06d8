"""Formulas are found as MathML, as TeX in the text and as rows, and written as TeX."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from tests.helpers.data import cases
from tests.helpers.fixture_pages import document_keeping
from thresher.page.parse import parse
from thresher.writers.math.formulas import Formula, find_annotated_tex, is_plain_formula
from thresher.writers.math.mathml import ACCENTS, BIG, FUNCTIONS, SYMBOLS, convert_mathml
from thresher.writers.math.raw_tex import find_raw_tex

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


@cases(__file__, "formulas")
def test_formula_is_converted_when_no_tex_is_annotated(html: str, expected: str | None) -> None:
    """Each case must be converted as its table says."""
    page = parse(f"<body><math>{html}</math>")
    assert expected == convert_mathml(page, int(page.leaves[0]))


def test_greek_letters_are_in_order() -> None:
    """The Greek alphabet is numbered: its first, middle and last letters must be correct."""
    assert (r"\alpha", r"\varsigma", r"\omega") == (SYMBOLS["α"], SYMBOLS["ς"], SYMBOLS["ω"])


def test_operators_with_limits_are_symbols_or_functions() -> None:
    """Everything that takes limits must be a known symbol or function; accents must be commands."""
    assert set(SYMBOLS.values()) | {f"\\{name}" for name in FUNCTIONS} >= BIG
    assert all(accent.startswith("\\") for accent in ACCENTS.values())


MATHJAX = "<script src=https://maths.example/MathJax.js></script>"
SINGLE = "<script>MathJax = {tex: {inlineMath: [['$', '$']]}}</script>"
KATEX = '<script>katex({delimiters: [{left: "$", right: "$"}]})</script>'


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"{MATHJAX}<p>Of \\(n\\) sacks", ("Of ", Formula("n", display=False), " sacks")),
        (f"{MATHJAX}<p>\\[ a \\]", (Formula("a", display=True),)),
        (f"{MATHJAX}<p>$$a$$, $5", (Formula("a", display=True), ", $5")),
        (
            f"{MATHJAX}<p>\\begin{{align}}a&amp;b\\end{{align}}",
            (Formula("\\begin{align}a&b\\end{align}", display=True),),
        ),
        (f"{SINGLE}<p>Of $n$", ("Of ", Formula("n", display=False))),
        (f"{KATEX}<p>Of $n$", ("Of ", Formula("n", display=False))),
        (f"{MATHJAX}<p>$\\sum n$, $5", (Formula("\\sum n", display=False), ", $5")),
    ],
)
def test_tex_is_found_when_a_script_shows_it(
    html: str, expected: tuple[str | Formula, ...]
) -> None:
    """The delimiters of MathJax and KaTeX are recognised, single dollar signs where configured."""
    page = parse(html)
    found = find_raw_tex(page, np.ones(page.leaves.size, np.bool_))
    assert [expected] == list(found.mixed_texts.values())


def test_tex_is_found_when_a_command_proves_it() -> None:
    """A bundled script has no name; if one formula is certainly TeX, all are."""
    page = parse("<p>Of \\(n\\) sacks, \\(\\frac{1}{2}\\)")
    (mixed_text,) = find_raw_tex(page, np.ones(page.leaves.size, np.bool_)).mixed_texts.values()
    assert ["n", "\\frac{1}{2}"] == [part.tex for part in mixed_text if isinstance(part, Formula)]


@pytest.mark.parametrize(
    "html",
    [
        "<p>Of \\(n\\) sacks, \\(\\w+\\)",
        f"{MATHJAX}<p>$5 and 6$, \\(",
        f"{MATHJAX}<code>\\(n\\)</code><pre>$$a$$</pre>",
        f"{SINGLE}<p>$5 and $6, $ 7$",
        f"{MATHJAX}<p>\\(n</p><p>m\\)</p>",
    ],
    ids=["no script", "not told so", "code", "prices", "two paragraphs"],
)
def test_nothing_is_found_when_delimiters_are_literal(html: str) -> None:
    """Without a script, in code, and across paragraphs the delimiters are literal."""
    page = parse(html)
    assert not find_raw_tex(page, np.ones(page.leaves.size, np.bool_)).mixed_texts


def test_lines_are_joined_when_tex_continues_after_a_break() -> None:
    """Line breaks that a blog puts into a formula are dropped, and those after it are kept."""
    html = f"{MATHJAX}<p>So:<br>\\[ a<br>+ b<br>\\] and<br>c"
    page = parse(html)
    found = find_raw_tex(page, np.ones(page.leaves.size, np.bool_))
    assert [(Formula("a + b", display=True),), (), (" and",)] == list(found.mixed_texts.values())
    document = document_keeping(html)
    assert "So:  \n$$a + b$$ and  \nc" == document.markdown
    assert "So:\na + b and\nc" == document.text


def test_every_writer_shows_the_formula() -> None:
    """Markdown, text, HTML and TEI must all recognise TeX in the text."""
    document = document_keeping(f"{MATHJAX}<p>Of \\(n\\) &lt;sacks&gt;")
    assert "Of n <sacks>" == document.text
    noted = '<annotation encoding="application/x-tex">n</annotation>'
    assert (
        f"<p>Of <math><semantics><mtext>n</mtext>{noted}</semantics></math> &lt;sacks&gt;</p>"
        == document.write("html")
    )
    assert '<p>Of <formula notation="TeX">n</formula> &lt;sacks&gt;</p>' in document.write("tei")
