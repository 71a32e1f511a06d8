"""Conversion of MathML to TeX."""

from __future__ import annotations

from tests.helpers.cases import cases
from thresher.page.parse import parse
from thresher.writers.math.mathml import (
    ACCENTS,
    BIG,
    FUNCTIONS,
    SYMBOLS,
    convert_mathml,
)


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
