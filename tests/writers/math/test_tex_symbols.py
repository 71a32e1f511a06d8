"""TeX of characters."""

from __future__ import annotations

from thresher.writers.math.tex_symbols import ACCENTS, BIG, FUNCTIONS, SYMBOLS


def test_letters_are_where_they_belong() -> None:
    """The Greek alphabet is numbered: its first, middle and last letters must be correct."""
    assert (r"\alpha", r"\varsigma", r"\omega") == (SYMBOLS["α"], SYMBOLS["ς"], SYMBOLS["ω"])


def test_what_takes_limits_is_a_symbol_or_a_function() -> None:
    """Everything that takes limits must be a known symbol or function; accents must be commands."""
    assert set(SYMBOLS.values()) | {f"\\{name}" for name in FUNCTIONS} >= BIG
    assert all(accent.startswith("\\") for accent in ACCENTS.values())
