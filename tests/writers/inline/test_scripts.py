"""Superscripts and subscripts."""

from __future__ import annotations

import pytest

from thresher.writers.inline import format_script


@pytest.mark.parametrize(
    ("text", "raised", "before", "expected"),
    [
        ("2", True, "4", "²"),
        ("2", False, "H", "₂"),
        ("n+1", True, "x", "ⁿ⁺¹"),
        ("k+1", True, "x", "^(k+1)"),
        ("2k", True, "x", "^2k"),
        ("max", False, "v", "_max"),
        ("st", True, "1", "st"),
        ("me", True, "M", "me"),
        ("®", True, "a", "®"),
        ("[1]", True, "a", "[1]"),
        ("3", True, ".", "³"),
        ("3", True, "", "3"),
        ("see the list of all our branches", True, "a", "see the list of all our branches"),
    ],
)
def test_script_is_formatted_when_it_changes_the_meaning(
    text: str, raised: bool, before: str, expected: str
) -> None:
    """Exponents and indices must be distinct from digits, and words must stay words."""
    assert expected == format_script(text, raised=raised, before=before)
