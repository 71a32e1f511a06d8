"""Settings written to and read from tables of TOML files."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given

from tests.support.kitchen import KITCHENS, Kitchen
from thresher.errors import UsageError
from thresher.support.setting_tables import from_table, write_table


@given(KITCHENS)
def test_table_reads_back_as_written(kitchen: Kitchen) -> None:
    """Reading a written table returns the same settings."""
    assert kitchen == from_table(Kitchen, tomllib.loads(write_table(kitchen, "k"))["k"])


def test_missing_entries_have_their_defaults() -> None:
    """An empty table gives the defaults."""
    assert Kitchen() == from_table(Kitchen, {})


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("lit", 1, "lit must be yes or no, not 1"),
        ("lamps", True, "lamps must be a whole number from 0 to 9, not True"),
        ("lamps", 10, "lamps must be a whole number from 0 to 9, not 10"),
        ("heat", float("nan"), "heat must be a number from 0 to 1, not nan"),
        ("heat", "0.5", 'heat must be a number from 0 to 1, not "0.5"'),
        ("fuel", "coal", 'fuel must be one of gas, wood, not "coal"'),
        ("pots", "big", 'pots must be a list of words, not "big"'),
        ("pots", [1], r"pots must be a list of words, not \[1\]"),
        ("name", 3, "name must be a text, not 3"),
        ("oven", True, 'no setting "oven"; one of lit, lamps, heat, fuel, name, pots'),
    ],
)
def test_table_with_an_invalid_value(name: str, value: Any, says: str) -> None:
    """An invalid value or an unknown name is rejected with a message that names it."""
    with pytest.raises(UsageError, match=says):
        from_table(Kitchen, {name: value})
