"""Settings that are declared once: a dataclass whose fields say all that is to be known of them.

From that come the object in Python, a table of a TOML file, the options of a command, and what a
form shows. A field is declared with `setting`; its type is its kind. The functions here work on any
such dataclass, so that each shell can have settings of its own beside those of the filters.
"""

from __future__ import annotations

import dataclasses
import re
import typing
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeVar

from thresher.errors import UsageError
from thresher.support.toml_files import spell as spell_toml

__all__ = [
    "Setting",
    "add_options",
    "change",
    "check",
    "describe",
    "from_args",
    "from_form",
    "from_table",
    "setting",
    "spell",
    "write_table",
]

_T = TypeVar("_T")

_TRUE: Final = frozenset({"1", "true", "yes", "on"})
_FALSE: Final = frozenset({"0", "false", "no", "off", ""})
_SEPARATOR: Final = re.compile(r"[\s,]+")
"""What stands between the items of a list: none of them has a space or a comma."""
_KINDS: Final[Mapping[object, str]] = {
    bool: "switch",
    int: "integer",
    float: "number",
    str: "text",
    tuple[str, ...]: "list",
}
"""Type of a field → kind of the setting; a text with choices is a choice."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, as files, options and forms show it."""

    name: str
    group: str
    kind: str
    """``switch``, ``integer``, ``number``, ``text``, ``choice`` or ``list`` (of words)."""
    default: Any
    """bool, int, float, str, or a tuple of str for a list."""
    help: str
    """What it does, as a phrase."""
    choices: tuple[str, ...] = ()
    unit: str = ""
    low: float | None = None
    """The least that a number may be."""
    high: float | None = None

    @property
    def option(self) -> str:
        """The option of a command, without its dashes."""
        return self.name.replace("_", "-")

    def check(self, value: object) -> Any:
        """Return a value as the setting's type; UsageError, naming the setting, where it is none.

        Takes values as TOML and JSON have them, so a list for a tuple and 1 for 1.0.
        """
        match self.kind, value:
            case "switch", bool():
                return value
            case "integer", int() if not isinstance(value, bool):
                return self._within(value)
            case "number", int() | float() if not isinstance(value, bool):
                return self._within(float(value))
            case "choice", str() if value in self.choices:
                return value
            case "text", str():
                return value
            case "list", list() | tuple() if all(isinstance(each, str) for each in value):
                return tuple(word for each in value for word in _SEPARATOR.split(each) if word)
        raise UsageError(f"{self.name} must be {self._wanted}, not {value!r}")

    def read(self, text: str) -> Any:
        """Read a value as an option or a form spells it; UsageError where it is none."""
        spelled = text.strip()
        try:
            match self.kind:
                case "switch" if spelled.lower() in _TRUE | _FALSE:
                    return spelled.lower() in _TRUE
                case "integer":
                    return self.check(int(spelled))
                case "number":
                    return self.check(float(spelled))
                case "choice":
                    return self.check(spelled.lower())
                case "list":
                    return self.check([spelled])
                case "text":
                    return spelled
        except ValueError as error:
            if isinstance(error, UsageError):
                raise
        raise UsageError(f"{self.name} must be {self._wanted}, not {text!r}")

    def spell(self, value: object) -> str:
        """Spell a value as `read` takes it."""
        match value:
            case bool():
                return "yes" if value else "no"
            case tuple():
                return ", ".join(map(str, value))
            case float():
                short = f"{value:g}"
                return short if float(short) == value else repr(value)
            case _:
                return str(value)

    def _within(self, value: float) -> float:
        # A comparison with nan is false, and nan must be refused.
        above = self.low is None or value >= self.low
        below = self.high is None or value <= self.high
        if not (above and below and value == value):  # noqa: PLR0124
            raise UsageError(f"{self.name} must be {self._wanted}, not {value!r}")
        return value

    @property
    def _wanted(self) -> str:
        match self.kind:
            case "switch":
                return "yes or no"
            case "choice":
                return f"one of {', '.join(self.choices)}"
            case "list":
                return "a list of words"
            case "integer" | "number":
                kind = "a whole number" if self.kind == "integer" else "a number"
                low = "" if self.low is None else f" from {self.low:g}"
                high = "" if self.high is None else f" to {self.high:g}"
                return kind + low + high
            case _:
                return "a text"


def setting(
    group: str,
    default: Any,
    help: str,
    *,
    choices: tuple[str, ...] = (),
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
) -> Any:
    """Declare a field of a frozen dataclass that is a setting."""
    about = {"group": group, "help": help, "choices": choices, "unit": unit}
    return dataclasses.field(default=default, metadata=about | {"low": low, "high": high})


def describe(kind: type) -> tuple[Setting, ...]:
    """Return the settings of a dataclass, in the order in which they are declared."""
    return _describe(typing.cast(Any, kind))


@cache
def _describe(kind: Any) -> tuple[Setting, ...]:
    types = typing.get_type_hints(kind)
    return tuple(
        Setting(
            name=field.name,
            kind="choice" if field.metadata["choices"] else _KINDS[types[field.name]],
            default=field.default,
            **field.metadata,
        )
        for field in dataclasses.fields(kind)
        if "group" in field.metadata
    )


def check(settings: object) -> None:
    """Check all values of an object, and put them in their types; for ``__post_init__``.

    UsageError names the setting that is wrong.
    """
    for each in describe(type(settings)):
        object.__setattr__(settings, each.name, each.check(getattr(settings, each.name)))


def from_table(kind: type[_T], table: Mapping[str, object]) -> _T:
    """Make settings from a table of a TOML file; what it lacks has its default.

    UsageError for an unknown name, or a value that is none of its setting.
    """
    return kind(**{name: _find(kind, name).check(value) for name, value in table.items()})


def change(settings: _T, values: Mapping[str, str]) -> _T:
    """Return settings with some values changed, each spelled as options and forms do.

    UsageError names what is wrong.
    """
    kind = type(settings)
    read = {name: _find(kind, name).read(value) for name, value in values.items()}
    return dataclasses.replace(settings, **read)  # type: ignore[type-var]


def from_form(kind: type[_T], values: Mapping[str, str]) -> _T:
    """Make settings from all of a form, which does not send switches that are off.

    Anything else that is missing has its default. UsageError names what is wrong.
    """
    switches = {each.name: "no" for each in describe(kind) if each.kind == "switch"}
    return change(kind(), {**switches, **values})


def spell(settings: object) -> dict[str, str]:
    """Spell all values as `change` takes them."""
    return {
        each.name: each.spell(getattr(settings, each.name)) for each in describe(type(settings))
    }


def write_table(settings: object, name: str) -> str:
    """Write settings as a table of a TOML file, each below a comment that says what it does."""
    return "\n".join(_write(settings, name)) + "\n"


def add_options(parser: ArgumentParser, kind: type, *, prefix: str = "") -> None:
    """Add an option for each setting, a group of them for each group; `from_args` reads them.

    A switch has ``--NAME`` and ``--no-NAME``; lists take words with commas between.
    """
    groups = {}
    for each in describe(kind):
        if each.group not in groups:
            groups[each.group] = parser.add_argument_group(each.group)
        dest = f"{prefix}{each.name}"
        says = f"{each.help} (default: {each.spell(each.default) or 'none'})".replace("%", "%%")
        name = f"--{each.option}"
        group = groups[each.group]
        if each.kind == "switch":
            group.add_argument(name, dest=dest, action=BooleanOptionalAction, help=says)
        else:
            group.add_argument(name, dest=dest, metavar=_metavar(each), help=says)


def from_args(settings: _T, args: Namespace, *, prefix: str = "") -> _T:
    """Return settings changed by the options of a command that were given; UsageError as `change`.

    The message names the setting, not the option, but they are spelled alike.
    """
    given = {each: getattr(args, f"{prefix}{each.name}", None) for each in describe(type(settings))}
    values = {s.name: s.spell(value) for s, value in given.items() if value is not None}
    return change(settings, values)


def _find(kind: type, name: str) -> Setting:
    for each in describe(kind):
        if each.name == name:
            return each
    raise UsageError(f"no setting {name!r}; one of {', '.join(s.name for s in describe(kind))}")


def _write(settings: object, name: str) -> Iterator[str]:
    yield f"[{name}]"
    group = ""
    for each in describe(type(settings)):
        if each.group != group:
            group = each.group
            yield f"\n# {group}\n"
        choices = f" ({', '.join(each.choices)})" if each.choices else ""
        yield f"# {each.help}{choices}"
        yield f"{each.name} = {spell_toml(getattr(settings, each.name))}"


def _metavar(setting: Setting) -> str:
    if setting.choices:
        return f"{{{','.join(setting.choices)}}}"
    return {"list": "WORD,…", "text": "TEXT"}.get(setting.kind, "N")
