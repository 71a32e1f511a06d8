"""Numbers in forms and queries."""

from __future__ import annotations

import pytest

from thresher.app.texts import read_number


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0", 0), ("017", 17), ("9" * 18, 10**18 - 1), ("٣", 3)]
    + [(text, None) for text in ("", "-1", "+1", "1.5", " 1", "²", "9" * 19, "9" * 5000)],
)
def test_only_whole_numbers_that_can_be_stored_are_read(text: str, expected: int | None) -> None:
    """Anything else is no number, and raises nothing."""
    assert expected == read_number(text)
