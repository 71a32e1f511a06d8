"""Delimiters around TeX."""

from __future__ import annotations

import pytest

from thresher.writers.math.tex import unwrap_tex


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("$a$", "a"),
        ("$$ a $$", "a"),
        ("\\(a\\)", "a"),
        ("\\[a\\]", "a"),
        ("{\\displaystyle a}", "a"),
        ("$\\(a\\)$", "a"),
        ("$a$ and $b$", "$a$ and $b$"),
        ("{\\displaystyle a}+{b}", "{\\displaystyle a}+{b}"),
        ("$$", "$$"),
        ("a", "a"),
    ],
)
def test_delimiters_are_removed_when_they_are_a_pair(tex: str, expected: str) -> None:
    """Only delimiters around the whole may be removed, and never everything."""
    assert expected == unwrap_tex(tex)
