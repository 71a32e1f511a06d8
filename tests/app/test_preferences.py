"""Display preferences in a cookie."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from thresher.app.context import CHOICES, read_preferences, write_preferences


@given(st.fixed_dictionaries({name: st.sampled_from(values) for name, values in CHOICES.items()}))
def test_preferences_come_back_when_written(chosen: dict[str, str]) -> None:
    """Preferences survive a round trip."""
    assert chosen == read_preferences(write_preferences(chosen))


@given(st.text())
def test_preferences_are_choices_whatever_the_cookie(cookie: str) -> None:
    """Any cookie yields valid preferences."""
    found = read_preferences(cookie)
    assert CHOICES.keys() == found.keys()
    assert all(found[name] in values for name, values in CHOICES.items())
