"""Declarations of a style attribute."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.filters.attributes import drop_declarations


@pytest.mark.parametrize(
    ("style", "left"),
    [
        ("width: 3px; color: red", "color: red"),
        ("color: red; WIDTH:3px", "color: red"),
        ("width:3px", ""),
        ("max-width: 3px; color: red", None),
        ("color: red", None),
        ("", None),
        ('background: url(data:a;b"c); width: 3px', 'background: url(data:a;b"c)'),
        ("content: 'a;width:3px'; width: 4px", "content: 'a;width:3px'"),
    ],
)
def test_width_is_dropped(style: str, left: str | None) -> None:
    """Only the property named goes; semicolons in strings and brackets end nothing."""
    assert left == drop_declarations(style, lambda name: name == "width")


@given(st.text())
def test_nothing_is_invented(style: str) -> None:
    """Only whole declarations may be dropped from a style, and None must mean that none was."""
    assert drop_declarations(style, lambda name: False) is None
    left = drop_declarations(style, lambda name: "a" in name)
    assert left is None or all(part in style for part in left.split(";"))
