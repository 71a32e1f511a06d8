"""TeX of characters."""

from __future__ import annotations

from thresher.writers.math.mathml import ACCENTS, BIG, FUNCTIONS, SYMBOLS


def test_greek_letters_are_in_order() -> None:
    """The Greek alphabet is numbered: its first, middle and last letters must be correct."""
    assert (r"\alpha", r"\varsigma", r"\omega") == (SYMBOLS["α"], SYMBOLS["ς"], SYMBOLS["ω"])


def test_operators_with_limits_are_symbols_or_functions() -> None:
    """Everything that takes limits must be a known symbol or function; accents must be commands."""
    assert set(SYMBOLS.values()) | {f"\\{name}" for name in FUNCTIONS} >= BIG
    assert all(accent.startswith("\\") for accent in ACCENTS.values())
