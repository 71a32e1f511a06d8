"""The contract of all declared settings: parameters, filters, proxy, write options, limits, API."""

from __future__ import annotations

from typing import Any, Final

import pytest

from thresher.algorithms import ALGORITHMS
from thresher.app.api.requests import OPTIONS
from thresher.document import WriteOptions
from thresher.filters.settings import Filters
from thresher.limits import Limits
from thresher.proxy.settings import Profile, ProxySettings
from thresher.support.settings import Setting, describe, validate

DECLARED: Final[dict[str, tuple[Setting, ...]]] = {
    **{name: algorithm.parameters() for name, algorithm in ALGORITHMS.items()},
    **{kind.__name__: describe(kind) for kind in (Filters, Limits, Profile, WriteOptions)},
    "ProxySettings": describe(ProxySettings),
    "API": tuple(each for each in OPTIONS.values() if isinstance(each, Setting)),
}
ALL: Final = [
    pytest.param(each, id=f"{owner}.{each.name}")
    for owner, settings in DECLARED.items()
    for each in settings
]
NUMBERS: Final = ("integer", "number")
NOT_QUANTITIES: Final = frozenset(("listen_port", "settings_port", "degree"))
"""Numbers without a unit: they name or order something."""


def examples_of(setting: Setting) -> list[Any]:
    """Return values of a setting: its default, its bounds, its choices."""
    values = [setting.default] if setting.default is not None or setting.is_optional else []
    values += [bound for bound in (setting.low, setting.high) if bound is not None]
    values += [(each,) for each in setting.choices] if setting.kind == "list" else setting.choices
    return values


@pytest.mark.parametrize("setting", ALL)
def test_setting_has_help(setting: Setting) -> None:
    """The help is a phrase: it does not end with a full stop, as forms and the API add one."""
    assert setting.help.strip() == setting.help != ""
    assert not setting.help.endswith(".")


@pytest.mark.parametrize("setting", ALL)
def test_number_has_a_unit_and_a_range(setting: Setting) -> None:
    """Numbers are bounded at least on one side and have a unit; nothing else has either."""
    bounds = [bound for bound in (setting.low, setting.high, setting.above) if bound is not None]
    assert bool(bounds) == (setting.kind in NUMBERS)
    is_quantity = setting.kind in NUMBERS and setting.name not in NOT_QUANTITIES
    assert bool(setting.unit) == is_quantity


@pytest.mark.parametrize("setting", ALL)
def test_formatted_values_are_parsed(setting: Setting) -> None:
    """A value is checked, formatted and parsed without any change."""
    for value in examples_of(setting):
        checked = setting.check(value)
        assert checked == setting.parse(setting.format(checked))
        assert checked == setting.convert(checked)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_help_of_parameters_names_all_choices(name: str) -> None:
    """`thresher methods` shows the help of a choice without a list of its values."""
    for parameter in ALGORITHMS[name].parameters():
        assert all(choice in parameter.help for choice in parameter.choices)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_default_parameters_are_valid(name: str) -> None:
    """The defaults of a method pass the checks that values of a user pass."""
    validate(ALGORITHMS[name].params())
