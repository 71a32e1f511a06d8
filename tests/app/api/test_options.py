"""Validation of API options."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.app.api.requests import OPTIONS, read_options
from thresher.errors import UsageError

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda values: st.lists(values) | st.dictionaries(st.text(), values),
    max_leaves=5,
)


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("links", False, False),
        ("links", "no", False),
        ("links", "TRUE", True),
        ("max_chars", 100, 100),
        ("max_chars", "100", 100),
        ("deadline_s", 1, 1),
        ("deadline_s", "0.5", 0.5),
        ("formats", ["text", "json"], ("text", "json")),
        ("formats", "text,json", ("text", "json")),
        ("favor", "recall", "recall"),
        ("favor", 0.5, 0.5),
        ("params", {"a": 1}, {"a": 1}),
        ("scope", "page", "page"),
    ],
)
def test_options_are_read(name: str, value: object, read: object) -> None:
    """JSON values and query strings are parsed to the same values."""
    assert {name: read} == read_options({name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("links", 1),
        ("links", "perhaps"),
        ("max_chars", True),
        ("max_chars", 1.5),
        ("max_chars", 99),
        ("deadline_s", 0),
        ("deadline_s", "nan"),
        ("deadline_s", "soon"),
        ("formats", ["zip"]),
        ("formats", [1]),
        ("formats", 1),
        ("favor", []),
        ("params", "a=1"),
        ("html", 1),
        ("method", "nothing"),
        ("on_limit", "perhaps"),
    ],
)
def test_options_are_refused_by_name(name: str, value: object) -> None:
    """Invalid values raise an error that names the field."""
    with pytest.raises(UsageError, match=name):
        read_options({name: value})


def test_options_that_are_null_are_none() -> None:
    """Null values are ignored."""
    assert {} == read_options(dict.fromkeys(OPTIONS))


def test_unknown_options_are_named() -> None:
    """Unknown fields are rejected by name."""
    with pytest.raises(UsageError, match="'format'"):
        read_options({"format": "text"})


@given(st.dictionaries(st.sampled_from(sorted(OPTIONS)), JSON))
def test_options_are_read_or_refused_whatever_they_are(values: dict[str, object]) -> None:
    """Any JSON is either accepted or rejected with a short message."""
    try:
        read = read_options(values)
    except UsageError as error:
        assert len(str(error)) < 500
    else:
        assert read.keys() <= values.keys()
