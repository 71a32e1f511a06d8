"""Settings that are declared once."""

from __future__ import annotations

import tomllib
from argparse import ArgumentParser
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import UsageError
from thresher.filters.setting import (
    Setting,
    add_options,
    change,
    check,
    describe,
    from_args,
    from_form,
    from_table,
    setting,
    spell,
    write_table,
)


@dataclass(frozen=True, slots=True)
class Kitchen:
    """Settings of every kind."""

    lit: bool = setting("light", True, "whether it is lit; 100 %")
    lamps: int = setting("light", 2, "how many lamps", unit="lamps", low=0, high=9)
    heat: float = setting("stove", 0.5, "how hot", low=0, high=1)
    fuel: str = setting("stove", "gas", "what burns", choices=("gas", "wood"))
    name: str = setting("stove", "", "what it is called")
    pots: tuple[str, ...] = setting("stove", ("big", "small"), "what stands on it")

    def __post_init__(self) -> None:
        check(self)


KITCHENS = st.builds(
    Kitchen,
    st.booleans(),
    st.integers(0, 9),
    st.floats(0, 1),
    st.sampled_from(["gas", "wood"]),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.lists(st.from_regex(r"[a-z|^@.]+", fullmatch=True)).map(tuple),
)


def test_settings_are_described_in_order() -> None:
    """What was declared is what is described, with its kind read off its type."""
    kinds = [each.kind for each in describe(Kitchen)]
    assert ["switch", "integer", "number", "choice", "text", "list"] == kinds
    lamps = describe(Kitchen)[1]
    assert Setting("lamps", "light", "integer", 2, "how many lamps", (), "lamps", 0, 9) == lamps


@given(KITCHENS)
def test_table_reads_back_as_written(kitchen: Kitchen) -> None:
    """What a file says is what was written to it."""
    assert kitchen == from_table(Kitchen, tomllib.loads(write_table(kitchen, "k"))["k"])


@given(KITCHENS)
def test_spelled_values_read_back(kitchen: Kitchen) -> None:
    """What a form shows is what it sends, less white space around a text."""
    read = from_form(Kitchen, spell(kitchen))
    assert replace(kitchen, name=kitchen.name.strip()) == read


def test_missing_values_are_the_defaults() -> None:
    """A file that says nothing changes nothing; a form without a switch switches it off."""
    assert Kitchen() == from_table(Kitchen, {})
    assert Kitchen(lit=False) == from_form(Kitchen, {})


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("lit", 1, "lit must be yes or no, not 1"),
        ("lamps", True, "lamps must be a whole number from 0 to 9, not True"),
        ("lamps", 10, "lamps must be a whole number from 0 to 9, not 10"),
        ("heat", float("nan"), "heat must be a number from 0 to 1, not nan"),
        ("heat", "0.5", "heat must be a number from 0 to 1, not '0.5'"),
        ("fuel", "coal", "fuel must be one of gas, wood, not 'coal'"),
        ("pots", "big", "pots must be a list of words, not 'big'"),
        ("pots", [1], r"pots must be a list of words, not \[1\]"),
        ("name", 3, "name must be a text, not 3"),
        ("oven", True, "no setting 'oven'; one of lit, lamps, heat, fuel, name, pots"),
    ],
)
def test_table_with_a_wrong_value(name: str, value: Any, says: str) -> None:
    """A value that is none of its setting is refused, and the setting named."""
    with pytest.raises(UsageError, match=says):
        from_table(Kitchen, {name: value})


@pytest.mark.parametrize(
    ("name", "text"),
    [("lit", "maybe"), ("lamps", "two"), ("lamps", "-1"), ("heat", "nan"), ("fuel", "coal")],
)
def test_form_with_a_wrong_value(name: str, text: str) -> None:
    """A spelling that is none of its setting is refused, and the setting named."""
    with pytest.raises(UsageError, match=f"{name} must be"):
        change(Kitchen(), {name: text})


def test_object_with_a_wrong_value() -> None:
    """The object itself holds no wrong value."""
    with pytest.raises(UsageError, match="lamps must be"):
        Kitchen(lamps=99)


def test_form_lists_take_lines_and_commas() -> None:
    """A list may be typed in one line or in several."""
    assert ("a", "b", "c") == change(Kitchen(), {"pots": "a, b\r\nc\n"}).pots


def test_options_change_what_they_name() -> None:
    """Options are switches, choices and values; what is not given stays."""
    parser = ArgumentParser()
    add_options(parser, Kitchen)
    args = parser.parse_args("--no-lit --lamps 3 --fuel wood --pots a,b".split())
    expected = Kitchen(False, 3, 0.25, "wood", "", ("a", "b"))
    assert expected == from_args(Kitchen(heat=0.25), args)
    assert "100 %" in parser.format_help()


def test_options_with_a_wrong_value() -> None:
    """A wrong option is refused as any other spelling is."""
    parser = ArgumentParser()
    add_options(parser, Kitchen, prefix="kitchen_")
    with pytest.raises(UsageError, match="lamps must be a whole number from 0 to 9, not 11"):
        from_args(Kitchen(), parser.parse_args(["--lamps", "11"]), prefix="kitchen_")
