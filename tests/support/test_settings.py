"""Declared settings: their description, and values checked, parsed and formatted by it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from tests.support.kitchen import KITCHENS, Kitchen
from thresher.errors import UsageError
from thresher.support.settings import (
    Setting,
    change,
    describe,
    find,
    format_values,
    from_form,
    setting,
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
