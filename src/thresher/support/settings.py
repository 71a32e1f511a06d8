"""Settings declared once: dataclass fields that carry their help text, unit, range and choices.

Parameters of algorithms, write options, filters and the proxy's settings are all declared with
`setting`. The object in Python, a table of a TOML file (`thresher.support.toml_files`),
command-line options (`add_options`), HTML forms and the fields of the HTTP API are derived from
the declaration. The functions here work on any such dataclass.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Final, TypeVar

from thresher.errors import UsageError
from thresher.support.quoting import one_line, quote

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

_SWITCH: Final[Mapping[str, bool]] = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off", ""), False),
}
_AUTO: Final = "auto"
"""Text for None, the value of an optional setting that is determined from the page or unlimited."""
_WORDS: Final = re.compile(r"[\s,]+")
"""Separator of the items of a list, which contain neither spaces nor commas."""
_PHRASES: Final = re.compile(r",")
"""Separator of the items of a list of phrases, which contain no commas."""
_WANTED: Final[Mapping[str, str]] = {
    "switch": "yes or no",
    "text": "a text",
    "list": "a list of words",
    "phrases": "a list of phrases",
}
_MAX_SHOWN_CHARS: Final = 60
"""Characters of a rejected value that an error message repeats."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The declaration of one setting."""

    name: str
    kind: str
    """``switch``, ``integer``, ``number``, ``text``, ``choice``, ``list`` (of words) or ``phrases``
    (a list whose items may contain spaces)."""
    default: Any
    """bool, int, float or str; for lists a tuple of str; None if the setting is optional."""
    help: str
    """Effect of the setting, as a phrase."""
    group: str = ""
    """Heading under which forms, options and files list it."""
    choices: tuple[str, ...] = ()
    """The allowed values of a choice, or of each item of a list; empty: any."""
    unit: str = ""
    low: float | None = None
    """Minimum."""
    high: float | None = None
    """Maximum."""
    above: float | None = None
    """Number that the value must exceed."""
    is_optional: bool = False
    """Whether the value may be None, written ``auto``."""

    @property
    def option(self) -> str:
        """Name of the command-line option, without dashes."""
        return self.name.replace("_", "-")

    def check(self, value: object) -> Any:
        """Return a value converted to the setting's type; UsageError, naming it, if it is invalid.

        Accepts values as TOML and JSON have them, so a list for a tuple and 1 for 1.0.
        """
        if value is None and self.is_optional:
            return None
        match self.kind, value:
            case ("switch", bool()) | ("text", str()):
                return value
            case "integer", Integral() if not isinstance(value, bool):
                return self._within(int(value), value)
            case "number", Real() if not isinstance(value, bool):
                return self._within(float(value), value)
            case "choice", str() if value in self.choices:
                return value
            case "list" | "phrases", list() | tuple() if all(isinstance(x, str) for x in value):
                items = self._split(value)
                if not self.choices or set(items) <= set(self.choices):
                    return items
        raise self._reject(value)

    def parse(self, text: str) -> Any:
        """Parse a value as written in an option or a form; UsageError if it is invalid."""
        stripped = text.strip()
        if self.is_optional and stripped.lower() == _AUTO:
            return None
        value: object = stripped
        try:
            match self.kind:
                case "switch":
                    value = _SWITCH.get(stripped.lower())
                case "integer":
                    value = int(stripped)
                case "number":
                    value = float(stripped)
                case "choice":
                    value = stripped.lower()
                case "list" | "phrases":
                    value = [stripped]
        except ValueError:
            value = None
        if value is None:
            raise self._reject(text)
        return self.check(value)

    def convert(self, value: object) -> Any:
        """Return a value or its text form in the setting's type; UsageError if it is invalid.

        Unlike `parse`, keeps texts and choices exactly as given.
        """
        if value is None or isinstance(value, list | tuple):
            return self.check(value)
        if self.kind in ("text", "choice"):
            return self.check(str(value))
        if isinstance(value, str) or self.kind == "switch":
            return self.parse(str(value))
        if self.kind == "integer" and isinstance(value, float) and value.is_integer():
            return self.check(int(value))
        return self.check(value)

    def format(self, value: object) -> str:
        """Format a value as `parse` reads it, numbers in their shortest form."""
        match value:
            case None:
                return _AUTO
            case bool():
                return "yes" if value else "no"
            case tuple() | list():
                return ", ".join(map(str, value))
            case float():
                short = f"{value:g}"
                return short if float(short) == value else repr(value)
            case _:
                return str(value)

    def display(self, value: object) -> str:
        """Format a value to be shown rather than edited: without spaces, ``(none)`` if empty."""
        match value:
            case tuple() | list():
                return ",".join(map(str, value)) or "(none)"
            case float():
                return str(value)
            case _:
                return self.format(value) or "(none)"

    @property
    def wanted(self) -> str:
        """The allowed values in words."""
        if self.kind in ("integer", "number"):
            wanted = f"a {'whole ' if self.kind == 'integer' else ''}number{self._range}"
        elif self.choices:
            wanted = f"{'one' if self.kind == 'choice' else 'some'} of {', '.join(self.choices)}"
        else:
            wanted = _WANTED[self.kind]
        return f"{wanted}, or {_AUTO}" if self.is_optional else wanted

    @property
    def _range(self) -> str:
        high = "" if self.high is None else f" to {self.high:g}"
        if self.above is not None:
            return f" above {self.above:g}{high and f' and up{high}'}"
        if self.low is None:
            return high and f" up{high}"
        return f" from {self.low:g}{high}" if high else f" of {self.low:g} or more"

    def _within(self, number: float, value: object) -> float:
        is_within = (
            (self.low is None or number >= self.low)
            and (self.high is None or number <= self.high)
            and (self.above is None or number > self.above)
            and number == number  # noqa: PLR0124 - not NaN
        )
        if not is_within:
            raise self._reject(value)
        return number

    def _split(self, items: Sequence[str]) -> tuple[str, ...]:
        separator = _WORDS if self.kind == "list" else _PHRASES
        parts = (part.strip() for item in items for part in separator.split(item))
        return tuple(part for part in parts if part)

    def _reject(self, value: object) -> UsageError:
        shown = quote(value) if isinstance(value, str) else one_line(str(value))
        if len(shown) > _MAX_SHOWN_CHARS:
            shown = f"{shown[: _MAX_SHOWN_CHARS - 3]}..."
        return UsageError(f"{self.name} must be {self.wanted}, not {shown}")


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
    for setting in describe(type(settings)):
        object.__setattr__(settings, setting.name, setting.check(getattr(settings, setting.name)))


def validate(settings: object) -> None:
    """Check all values of an object but leave them as they are; for ``__post_init__``.

    UsageError names the first setting that is invalid. More lenient than `check`: anything
    `Setting.convert` takes.
    """
    for setting in describe(type(settings)):
        setting.convert(getattr(settings, setting.name))


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
    switches = {setting.name: "no" for setting in describe(kind) if setting.kind == "switch"}
    return change(kind(), {**switches, **values})


def format_values(settings: object) -> dict[str, str]:
    """Format all values as `change` reads them, by name."""
    return {
        setting.name: setting.format(getattr(settings, setting.name))
        for setting in describe(type(settings))
    }


def find(kind: type, name: str) -> Setting:
    """Return the setting of a name; UsageError, listing the names, if it is unknown."""
    for setting in describe(kind):
        if setting.name == name:
            return setting
    raise UsageError(
        f"no setting {quote(name)}; one of {', '.join(s.name for s in describe(kind))}"
    )


_METAVARS: Final = {"list": "WORD,…", "phrases": "TEXT,…", "text": "TEXT"}


def add_options(parser: ArgumentParser, kind: type) -> None:
    """Add an option for each setting, in one argument group per group of settings.

    A switch has ``--NAME`` and ``--no-NAME``; lists take words separated by commas. `from_args`
    reads the options.
    """
    from argparse import BooleanOptionalAction

    groups = {}
    for setting in describe(kind):
        if setting.group not in groups:
            groups[setting.group] = parser.add_argument_group(setting.group)
        default = setting.format(setting.default) or "none"
        says = help_of(setting, f" (default: {default})")
        name = f"--{setting.option}"
        group = groups[setting.group]
        if setting.kind == "switch":
            group.add_argument(name, dest=setting.name, action=BooleanOptionalAction, help=says)
        else:
            group.add_argument(name, dest=setting.name, metavar=_metavar(setting), help=says)


def from_args(settings: _T, args: Namespace) -> _T:
    """Return settings changed by the options that were given; UsageError as for `change`.

    The message names the setting, which differs from the option only in its underscores.
    """
    return change(settings, given(type(settings), args))


def given(kind: type, args: Namespace) -> dict[str, str]:
    """Return the options that were given, as text by the name of their setting."""
    values = {setting: getattr(args, setting.name, None) for setting in describe(kind)}
    return {
        setting.name: setting.format(value)
        for setting, value in values.items()
        if value is not None
    }


def help_of(setting: Setting, more: str = "") -> str:
    """Return a setting's help text, with something after it, as argparse takes it."""
    return f"{setting.help}{more}".replace("%", "%%")


def _metavar(setting: Setting) -> str:
    if setting.kind == "choice":
        return f"{{{','.join(setting.choices)}}}"
    return _METAVARS.get(setting.kind, "N")
