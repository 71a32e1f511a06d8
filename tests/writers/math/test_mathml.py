"""Conversion of MathML to TeX."""

from __future__ import annotations

from typing import Final

import pytest

from thresher.page.parse import parse
from thresher.writers.math.mathml import (
    ACCENTS,
    BIG,
    FUNCTIONS,
    MAX_FORMULA_ROWS,
    SYMBOLS,
    convert_mathml,
)

MATRIX: Final = (
    "<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr>"
    "<mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>"
)
CASES: Final = {
    "fraction": ("<mfrac><mn>1</mn><mi>n</mi></mfrac>", r"\frac{1}{n}"),
    "binomial": ("<mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac>", r"\binom{n}{k}"),
    "scripts": (
        "<msup><mi>x</mi><mn>2</mn></msup><msubsup><mi>σ</mi><mi>i</mi><mn>2</mn></msubsup>",
        r"x^2\sigma_i^2",
    ),
    "script of several": (
        "<msub><mi>a</mi><mrow><mi>i</mi><mo>+</mo><mn>1</mn></mrow></msub>",
        "a_{i+1}",
    ),
    "prime": ("<msup><mi>f</mi><mo>′</mo></msup>", "f'"),
    "roots": (
        "<msqrt><mi>x</mi></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>",
        r"\sqrt{x}\sqrt[3]{x}",
    ),
    "sum": (
        "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>",
        r"\sum_{i=1}^n",
    ),
    "accents": (
        "<mover><mi>v</mi><mo>→</mo></mover><mover><mi>x</mi><mo>¯</mo></mover>",
        r"\vec{v}\bar{x}",
    ),
    "something above": ("<mover><mo>=</mo><mtext>def</mtext></mover>", r"\overset{\text{def}}{=}"),
    "matrix": (f"<mo>(</mo>{MATRIX}<mo>)</mo>", r"\begin{pmatrix} a & b \\ 1 & 2 \end{pmatrix}"),
    "cases": (f"<mo>{{</mo>{MATRIX}", r"\begin{cases} a & b \\ 1 & 2 \end{cases}"),
    "fences": ("<mfenced open=[ separators=;><mi>a</mi><mi>b</mi></mfenced>", "[a;b)"),
    "scripts before": (
        "<mmultiscripts><mi>C</mi><none/><mn>2</mn><mprescripts/><mn>6</mn><none/></mmultiscripts>",
        "{}_6C^2",
    ),
    "names": ("<mi>sin</mi><mo>\u2061</mo><mi>θ</mi><mi>PARL</mi>", r"\sin\theta\mathrm{PARL}"),
    "command before a letter": ("<mi>α</mi><mi>x</mi>", r"\alpha x"),
    "letters of a font": ("<mi>𝑧</mi>", "z"),
    "words": ("<mtext>50 % of</mtext>", r"\text{50 \% of}"),
    "label": (
        "<mtable><mlabeledtr><mtd><mtext>(3)</mtext></mtd><mtd><mi>a</mi></mtd></mlabeledtr></mtable>",
        r"\begin{matrix} a \tag{3} \end{matrix}",
    ),
    "note": ("<semantics><mi>x</mi><annotation>y</annotation></semantics>", "x"),
    "too few parts": ("<msup><mi>x</mi></msup>", "x"),
    "nothing": ("", None),
    "too large": ("<mi>x</mi>" * MAX_FORMULA_ROWS, None),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
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
