"""Declared settings: described, checked, parsed, formatted; as options, forms and TOML tables."""

from __future__ import annotations

import tomllib
from argparse import ArgumentParser
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.algorithms import ALGORITHMS
from thresher.app.api.requests import OPTIONS
from thresher.document import WriteOptions
from thresher.errors import UsageError
from thresher.filters.settings import Filters
from thresher.limits import Limits
from thresher.proxy.settings import Profile, ProxySettings
from thresher.support.settings import (
    Setting,
    add_options,
    change,
    check,
    describe,
    find,
    format_values,
    from_args,
    from_form,
    setting,
    validate,
)
from thresher.support.toml_files import from_table, write_table


@dataclass(frozen=True, slots=True)
class Kitchen:
    """Settings of every kind that a file, an option and a form can hold."""

    lit: bool = setting(True, "whether it is lit; 100 %", group="light")
    lamps: int = setting(2, "how many lamps", group="light", unit="lamps", low=0, high=9)
    heat: float = setting(0.5, "how hot", group="stove", low=0, high=1)
    fuel: str = setting("gas", "what burns", group="stove", choices=("gas", "wood"))
    name: str = setting("", "what it is called", group="stove")
    pots: tuple[str, ...] = setting(("big", "small"), "what stands on it", group="stove")

    def __post_init__(self) -> None:
        check(self)


KITCHENS: Final = st.builds(
    Kitchen,
    st.booleans(),
    st.integers(0, 9),
    st.floats(0, 1),
    st.sampled_from(["gas", "wood"]),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.lists(st.from_regex(r"[a-z|^@.]+", fullmatch=True)).map(tuple),
)


@dataclass(frozen=True, slots=True)
class Garden:
    """Settings of the kinds that only parameters and options have."""

    depth: int | None = setting(None, "how deep; auto: as the plant needs", unit="cm", low=1)
    share: float = setting(0.5, "how much is lawn", above=0, high=1)
    signs: tuple[str, ...] = setting(("keep out",), "what signs say", phrases=True)
    beds: tuple[str, ...] = setting((), "what grows", choices=("peas", "beans"))


def test_settings_are_described_in_order() -> None:
    """The description repeats the declaration, with the kind derived from the type."""
    kinds = [each.kind for each in describe(Kitchen)]
    assert ["switch", "integer", "number", "choice", "text", "list"] == kinds
    lamps = describe(Kitchen)[1]
    assert lamps == Setting(
        "lamps", "integer", 2, "how many lamps", group="light", unit="lamps", low=0, high=9
    )
    assert ["integer", "number", "phrases", "list"] == [each.kind for each in describe(Garden)]
    assert [True, False, False, False] == [each.is_optional for each in describe(Garden)]


@given(KITCHENS)
def test_formatted_values_read_back(kitchen: Kitchen) -> None:
    """A form sends what it shows, except white space around a text."""
    read = from_form(Kitchen, format_values(kitchen))
    assert replace(kitchen, name=kitchen.name.strip()) == read


def test_missing_values_of_a_form() -> None:
    """A missing switch is off; any other missing setting has its default."""
    assert Kitchen(lit=False) == from_form(Kitchen, {})


@pytest.mark.parametrize(
    ("name", "text"),
    [("lit", "maybe"), ("lamps", "two"), ("lamps", "-1"), ("heat", "nan"), ("fuel", "coal")],
)
def test_form_with_an_invalid_value(name: str, text: str) -> None:
    """An invalid text is rejected with a message that names the setting."""
    with pytest.raises(UsageError, match=f"{name} must be"):
        change(Kitchen(), {name: text})


def test_object_with_an_invalid_value() -> None:
    """A checked object cannot hold an invalid value."""
    with pytest.raises(UsageError, match="lamps must be"):
        Kitchen(lamps=99)


def test_lists_of_a_form_take_lines_and_commas() -> None:
    """A list may be typed in one line or in several."""
    assert ("a", "b", "c") == change(Kitchen(), {"pots": "a, b\r\nc\n"}).pots


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("depth", "auto", None),
        ("depth", None, None),
        ("depth", "3", 3),
        ("depth", 3.0, 3),
        ("depth", np.int64(3), 3),
        ("share", 1, 1.0),
        ("share", np.float32(0.25), 0.25),
        ("signs", "dogs, keep off the grass ,", ("dogs", "keep off the grass")),
        ("signs", ["keep off"], ("keep off",)),
        ("signs", "", ()),
        ("beds", "peas,beans", ("peas", "beans")),
    ],
)
def test_values_and_texts_are_converted(name: str, value: object, expected: object) -> None:
    """Numbers of any library, texts and lists become the setting's type."""
    assert expected == find(Garden, name).convert(value)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("depth", 0, "depth must be a whole number of 1 or more, or auto, not 0"),
        ("depth", 2.5, "depth must be .* not 2.5"),
        ("share", 0, "share must be a number above 0 and up to 1, not 0"),
        ("share", None, "share must be .* not None"),
        ("beds", "peas,nuts", r"beds must be some of peas, beans, not \['peas,nuts'\]"),
        ("signs", 5, "signs must be a list of phrases, not 5"),
        ("signs", ["x" * 99, 5], r"signs must be a list of phrases, not .{57}\.\.\.$"),
    ],
)
def test_invalid_values_are_not_converted(name: str, value: object, says: str) -> None:
    """The message names the setting and the allowed values, and shortens a long value."""
    with pytest.raises(UsageError, match=says):
        find(Garden, name).convert(value)


@pytest.mark.parametrize(
    ("value", "formatted", "displayed"),
    [
        (None, "auto", "auto"),
        (True, "yes", "yes"),
        (40.0, "40", "40.0"),
        (0.1 + 0.2, "0.30000000000000004", "0.30000000000000004"),
        (("a", "b"), "a, b", "a,b"),
        ((), "", "(none)"),
        ("", "", "(none)"),
    ],
)
def test_values_are_formatted(value: Any, formatted: str, displayed: str) -> None:
    """A value to be edited is as short as it can be parsed; a displayed one is never empty."""
    each = describe(Garden)[0]
    assert (formatted, displayed) == (each.format(value), each.display(value))


def test_options_change_only_what_they_name() -> None:
    """Switches, choices and values are read; a setting without an option given keeps its value."""
    parser = ArgumentParser()
    add_options(parser, Kitchen)
    args = parser.parse_args("--no-lit --lamps 3 --fuel wood --pots a,b".split())
    expected = Kitchen(False, 3, 0.25, "wood", "", ("a", "b"))
    assert expected == from_args(Kitchen(heat=0.25), args)
    assert "100 %" in parser.format_help()


@given(KITCHENS)
def test_table_reads_back_as_written(kitchen: Kitchen) -> None:
    """Reading a written table returns the same settings."""
    assert kitchen == from_table(Kitchen, tomllib.loads(write_table(kitchen, "k"))["k"])


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


DECLARED: Final[dict[str, tuple[Setting, ...]]] = {
    **{name: algorithm.parameters() for name, algorithm in ALGORITHMS.items()},
    **{kind.__name__: describe(kind) for kind in (Filters, Limits, Profile, WriteOptions)},
    "ProxySettings": describe(ProxySettings),
    "API": tuple(each for each in OPTIONS.values() if isinstance(each, Setting)),
}
ALL: Final = [each for settings in DECLARED.values() for each in settings]
NUMBERS: Final = ("integer", "number")
NOT_QUANTITIES: Final = frozenset(("listen_port", "settings_port", "degree"))
"""Numbers without a unit: they name or order something."""


def examples_of(setting: Setting) -> list[Any]:
    """Return values of a setting: its default, its bounds, its choices."""
    values = [setting.default] if setting.default is not None or setting.is_optional else []
    values += [bound for bound in (setting.low, setting.high) if bound is not None]
    values += [(each,) for each in setting.choices] if setting.kind == "list" else setting.choices
    return values


def test_declared_settings_say_what_they_are() -> None:
    """The help is a phrase, to which forms and the API add a full stop; a number has a unit.

    A number is bounded on one side, or on both; nothing else has a bound or a unit.
    """
    for each in ALL:
        assert each.help.strip() == each.help != "", each
        assert not each.help.endswith("."), each
        bounds = [bound for bound in (each.low, each.high, each.above) if bound is not None]
        assert bool(bounds) == (each.kind in NUMBERS), each
        is_quantity = each.kind in NUMBERS and each.name not in NOT_QUANTITIES
        assert bool(each.unit) == is_quantity, each


def test_formatted_values_of_declared_settings_are_parsed() -> None:
    """A value is checked, formatted and parsed without any change."""
    for each in ALL:
        for value in examples_of(each):
            checked = each.check(value)
            assert checked == each.parse(each.format(checked)), each
            assert checked == each.convert(checked), each


def test_parameters_of_methods_are_complete() -> None:
    """The help of a choice names all values, as `thresher methods` does not; defaults are valid."""
    for algorithm in ALGORITHMS.values():
        for parameter in algorithm.parameters():
            assert all(choice in parameter.help for choice in parameter.choices)
        validate(algorithm.params())
