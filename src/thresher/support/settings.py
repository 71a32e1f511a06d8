"""Settings declared once: dataclass fields that carry their help text, unit, range and choices.

Parameters of algorithms, write options, filters and the proxy's settings are all declared with
`setting`. The object in Python, a table of a TOML file (`setting_tables`), command-line
options (`setting_options`), HTML forms and the fields of the HTTP API are derived from
the declaration. The functions here work on any such dataclass.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeVar

from thresher.errors import UsageError
from thresher.support.quoting import quote
from thresher.support.setting import Setting

__all__ = [
    "Setting",
    "change",
    "check",
    "describe",
    "find",
    "format_values",
    "from_form",
    "setting",
    "validate",
]

_T = TypeVar("_T")

_KINDS: Final[Mapping[object, str]] = {
    bool: "switch",
    int: "integer",
    float: "number",
    str: "text",
    tuple[str, ...]: "list",
    Sequence[str]: "list",
}
"""Type of a field → kind of the setting; ``choice`` and ``phrases`` are declared explicitly."""


def setting(
    default: Any,
    help: str,
    *,
    group: str = "",
    choices: tuple[str, ...] = (),
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    above: float | None = None,
    phrases: bool = False,
) -> Any:
    """Declare a field of a frozen dataclass as a setting; see `Setting` for the arguments.

    Kind and optionality follow from the field's type. ``phrases`` marks a list whose items may
    contain spaces.
    """
    metadata = {
        **{"help": help, "group": group, "choices": choices, "unit": unit},
        **{"low": low, "high": high, "above": above, "phrases": phrases},
    }
    return dataclasses.field(default=default, metadata=metadata)


def describe(kind: type) -> tuple[Setting, ...]:
    """Return the settings of a dataclass in the order of their declaration."""
    return _describe(typing.cast(Any, kind))


@cache
def _describe(kind: Any) -> tuple[Setting, ...]:
    hints = typing.get_type_hints(kind)
    return tuple(
        _describe_field(field, hints[field.name])
        for field in dataclasses.fields(kind)
        if "help" in field.metadata
    )


def _describe_field(field: dataclasses.Field[Any], hint: Any) -> Setting:
    metadata = dict(field.metadata)
    is_optional = isinstance(hint, types.UnionType)
    if is_optional:
        (hint,) = (part for part in typing.get_args(hint) if part is not types.NoneType)
    kind = _KINDS[hint]
    if metadata.pop("phrases"):
        kind = "phrases"
    elif kind == "text" and metadata["choices"]:
        kind = "choice"
    return Setting(field.name, kind, field.default, is_optional=is_optional, **metadata)


def check(settings: object) -> None:
    """Check all values of an object and convert them to their types; for ``__post_init__``.

    UsageError names the first setting that is invalid.
    """
    for each in describe(type(settings)):
        object.__setattr__(settings, each.name, each.check(getattr(settings, each.name)))


def validate(settings: object) -> None:
    """Check all values of an object but leave them as they are; for ``__post_init__``.

    UsageError names the first setting that is invalid. More lenient than `check`: anything
    `Setting.convert` takes.
    """
    for each in describe(type(settings)):
        each.convert(getattr(settings, each.name))


def change(settings: _T, values: Mapping[str, str]) -> _T:
    """Return settings with some values changed, given as text in options or forms.

    UsageError for an unknown name or an invalid value.
    """
    kind = type(settings)
    parsed = {name: find(kind, name).parse(value) for name, value in values.items()}
    return dataclasses.replace(settings, **parsed)  # type: ignore[type-var]


def from_form(kind: type[_T], values: Mapping[str, str]) -> _T:
    """Create settings from a complete form, in which a missing switch is off.

    Any other missing setting has its default. UsageError for an unknown name or an invalid value.
    """
    switches = {each.name: "no" for each in describe(kind) if each.kind == "switch"}
    return change(kind(), {**switches, **values})


def format_values(settings: object) -> dict[str, str]:
    """Format all values as `change` reads them, by name."""
    return {
        each.name: each.format(getattr(settings, each.name)) for each in describe(type(settings))
    }


def find(kind: type, name: str) -> Setting:
    """Return the setting of a name; UsageError, listing the names, if it is unknown."""
    for each in describe(kind):
        if each.name == name:
            return each
    raise UsageError(
        f"no setting {quote(name)}; one of {', '.join(s.name for s in describe(kind))}"
    )
