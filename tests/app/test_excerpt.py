"""Excerpts of texts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from thresher.app.texts import excerpt


def test_what_is_too_long_is_cut() -> None:
    """Long texts are cut, including the ellipsis."""
    assert "barley, rye" == excerpt(" barley,\n rye ", 11)
    assert "barley, r…" == excerpt("barley, rye", 10)


@given(st.text(), st.integers(1, 40))
def test_it_fits(text: str, max_chars: int) -> None:
    """An excerpt is one line within the maximum length."""
    found = excerpt(text, max_chars)
    assert len(found) <= max_chars
    assert " ".join(found.split()) == found
