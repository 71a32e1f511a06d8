"""Blocks of code in Markdown."""

from __future__ import annotations

import pytest

from thresher.writers.commonmark.renderer import format_code
from thresher.writers.stream.events import Preformatted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n", ["```c", "a", "b", "```"]),
        ("a\n\n", ["```c", "a", "", "```"]),
        ("", ["```c", "```"]),
        ("```", ["````c", "```", "````"]),
    ],
)
def test_a_fence_is_longer_than_those_in_the_code(text: str, expected: list[str]) -> None:
    """Lines stay what they are, without the last break."""
    assert expected == format_code(Preformatted("c", text, 0))
