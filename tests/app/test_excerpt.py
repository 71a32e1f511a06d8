"""The beginning of a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from thresher.app.excerpt import excerpt


def test_what_is_too_long_is_cut() -> None:
    """The cut is marked, and counts."""
    assert "barley, rye" == excerpt(" barley,\n rye ", 11)
    assert "barley, r…" == excerpt("barley, rye", 10)


@given(st.text(), st.integers(1, 40))
def test_it_fits(text: str, max_chars: int) -> None:
    """It is one line of as many characters at most."""
    found = excerpt(text, max_chars)
    assert len(found) <= max_chars
    assert " ".join(found.split()) == found
