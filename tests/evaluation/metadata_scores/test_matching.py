"""Matching of titles, authors and dates."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.evaluation.metadata_scores.scores import (
    FIELDS,
    Values,
    credit,
    is_found,
    read_values,
)


def says(title: str = "", authors: list[str] | None = None, date: str = "") -> Values:
    return read_values(title, authors or [], date)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Rye is “back”", 'rye is "back"!', 1.0),
        ("Rye is back", "Rye is\N{NO-BREAK SPACE}back", 1.0),
        ("Rye is back", "Rye is back | The Sheaf", 0.0),
        ("", "Rye", 0.0),
    ],
)
def test_credit_of_a_title(one: str, other: str, expected: float) -> None:
    """Titles are compared by letters and digits, ignoring everything between them."""
    assert expected == credit(says(one), says(other), "title")


@pytest.mark.parametrize(
    ("found", "label", "expected"),
    [
        (["Ada Roth", "Tom Beck"], "Tom Beck; Ada Roth", 1.0),
        (["By Ada Roth"], "Ada Roth", 1.0),
        (["Ada Roth, Tom Beck and Li Wei"], "Ada Roth; Tom Beck; Li Wei", 1.0),
        (["Ada Roth"], "Ada Roth; Tom Beck", 2 / 3),
        (["Ada Roth", "Tom Beck"], "Ada Roth", 2 / 3),
        (["Tom Beck"], "Ada Roth", 0.0),
        ([], "Ada Roth", 0.0),
        (["後藤大地"], "著者：後藤大地", 1.0),
    ],
)
def test_credit_of_authors(found: list[str], label: str, expected: float) -> None:
    """Authors are compared by the F1 of the set of names, however they are listed."""
    assert expected == pytest.approx(credit(says(authors=found), says(authors=[label]), "authors"))


def test_credit_of_a_date_is_for_the_day_as_it_is_written() -> None:
    """The time zone does not change the day, but it changes the moment."""
    one, other = says(date="2024-05-03T23:20:00-04:00"), says(date="2024-05-04 03:20:10+00:00")
    assert 0.0 == credit(one, other, "date")
    assert 1.0 == credit(one, other, "moment")
    assert 1.0 == credit(says(date="2024-05-03"), one, "date")
    assert 0.0 == credit(says(date="2024-05-03"), one, "moment")


def test_time_without_a_zone_is_not_a_moment() -> None:
    """A time is a moment only if it has a zone."""
    assert says(date="2024-05-03T10:20:00").moment is None
    assert datetime(2024, 5, 3, 10, 20, tzinfo=UTC) == says(date="2024-05-03T10:20:59Z").moment


def test_is_found_when_there_is_no_value() -> None:
    """No field is found in an empty value, nor in one without letters and digits."""
    assert not any(is_found(says("!", ["-"], "soon"), field) for field in FIELDS)


@given(st.text(max_size=50), st.lists(st.text(max_size=30), max_size=3), st.text(max_size=30))
def test_credit_of_equal_values_is_full(title: str, authors: list[str], date: str) -> None:
    """Any value gets full credit against itself, and an empty value gets none."""
    values = read_values(title, authors, date)
    for field in FIELDS:
        assert float(is_found(values, field)) == credit(values, values, field)
