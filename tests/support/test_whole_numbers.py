"""Whole numbers are read from any text."""

from __future__ import annotations

import pytest

from thresher.support.whole_numbers import read_whole_number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12", 12),
        (" 007\n", 7),
        ("0", 0),
        ("0" * 5_000 + "3", 3),
        ("", None),
        ("-1", None),
        ("1.5", None),
        ("²", None),
        ("٣", None),
    ],
)
def test_number_read_when_text_has_ascii_digits_alone(text: str, expected: int | None) -> None:
    """Zeros and white space around it do not count, signs and other digits are none."""
    assert expected == read_whole_number(text)


def test_number_of_thousands_of_digits_is_large() -> None:
    """It exceeds every limit, and is not refused as by the standard library."""
    found = read_whole_number("9" * 5_000)
    assert found is not None
    assert found > 2**32
