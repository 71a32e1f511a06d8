"""Quotation marks."""

from __future__ import annotations

import pytest

from thresher.writers.inline import choose_quotation_marks


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a", ("“", "”")), ("„a“", ("", "")), ("", ("“", "”")), ("'a'", ("", ""))],
)
def test_marks_are_added_when_a_quotation_has_none(text: str, expected: tuple[str, str]) -> None:
    """A quotation must have marks, and have them once."""
    assert expected == choose_quotation_marks(text)
