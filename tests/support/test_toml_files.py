"""TOML files of our own."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import UsageError
from thresher.support.toml_files import format_value, read_toml

TEXTS = st.text(st.characters(codec="utf-8"))
VALUES = st.booleans() | st.integers(-(2**60), 2**60) | TEXTS | st.lists(TEXTS, max_size=3)


@given(VALUES)
def test_formatted_values_read_back_equal(value: object) -> None:
    """Any supported value must be read back equal after it is formatted."""
    assert {"x": value} == tomllib.loads(f"x = {format_value(value)}")


def test_lone_surrogates_become_question_marks() -> None:
    """A lone surrogate becomes a question mark."""
    assert {"x": "a?"} == tomllib.loads(f"x = {format_value(chr(97) + chr(0xD800))}")


def test_a_file_is_read() -> None:
    """With its version, and the tables that may be there."""
    text = "version = 2\n[host.a]\nx = 1\n"
    assert {"version": 2, "host": {"a": {"x": 1}}} == read_toml(text, version=2, tables={"host"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version =", "Invalid value"),
        ("", "the line version = 1 is missing"),
        ("version = 2", "version must be 1, not 2"),
        ("version = 1\n[b]\n[c]\n[a]", "unknown: b, c"),
        ("version = 1\nx = " + "[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    """As an error of the call."""
    with pytest.raises(UsageError, match=message):
        read_toml(text, version=1, tables={"a"})
