"""Numbers of ordered lists."""

from __future__ import annotations

import pytest

from thresher.writers.outline.items import format_number


@pytest.mark.parametrize(
    ("number", "kind", "expected"),
    [
        (7, "1", "7"),
        (1, "a", "a"),
        (27, "A", "AA"),
        (1994, "i", "mcmxciv"),
        (4, "I", "IV"),
        (0, "a", "0"),
        (-3, "i", "-3"),
        (4000, "I", "4000"),
    ],
)
def test_number_is_formatted_when_a_list_has_a_kind(number: int, kind: str, expected: str) -> None:
    """Numbers must look as a browser shows them; those without such a form must be digits."""
    assert expected == format_number(number, kind)
