"""Forms generated from declared settings: one field per setting, with its error message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from thresher.errors import ThresherError, UsageError
from thresher.support.settings import Setting, format_values


@dataclass(frozen=True, slots=True)
class SettingField:
    """Form field of one setting."""

    setting: Setting
    value: str
    """Formatted as `Setting.parse` reads it; a list has one word a line."""
    error: str = ""

    @property
    def label(self) -> str:
        """Label of the field."""
        return self.setting.name.replace("_", " ").capitalize()

    @property
    def hint(self) -> str:
        """Description of the setting, as a sentence without its full stop."""
        return self.setting.help[:1].upper() + self.setting.help[1:]

    @property
    def is_on(self) -> bool:
        """True if the switch is on."""
        return self.value == "yes"

    @property
    def is_default(self) -> bool:
        """True if the value is the default."""
        return self.value.split() == _lines(self.setting, self.setting.default).split()


@dataclass(frozen=True, slots=True)
class Group:
    """Group of related settings."""

    name: str
    fields: tuple[SettingField, ...]

    @property
    def n_changed(self) -> int:
        """Number of fields with a value other than the default."""
        return sum(not each.is_default for each in self.fields)

    @property
    def n_error(self) -> int:
        """Number of fields with an error."""
        return sum(bool(each.error) for each in self.fields)


@dataclass(frozen=True, slots=True)
class Form:
    """Form with settings, as displayed or as submitted."""

    groups: tuple[Group, ...]
    values: Mapping[str, Any] = field(default_factory=dict)
    """Valid values by name."""
    error: str = ""
    """Error that concerns no single field."""

    @property
    def is_right(self) -> bool:
        """True if all fields are valid."""
        return not self.error and not any(group.n_error for group in self.groups)

    def blame(self, error: ThresherError) -> Form:
        """Return the form with an error at the field that its message names, or above the form."""
        message = str(error)
        name = message.partition(" ")[0].rstrip(":")
        groups = tuple(
            Group(
                group.name,
                tuple(
                    SettingField(each.setting, each.value, message)
                    if each.setting.name == name
                    else each
                    for each in group.fields
                ),
            )
            for group in self.groups
        )
        is_placed = any(group.n_error for group in groups)
        return Form(groups, self.values, self.error if is_placed else message)


def make_form(wanted: Iterable[Setting], *objects: object) -> Form:
    """Build a form of settings, with their values taken from objects."""
    values: dict[str, str] = {}
    for each in objects:
        values |= format_values(each)
    fields = [SettingField(each, _by_lines(each, values[each.name])) for each in wanted]
    return Form(_group(fields))


def read_form(wanted: Iterable[Setting], sent: Mapping[str, str]) -> Form:
    """Read settings from a form, each independently, so that all errors are reported at once.

    A missing switch is off, as browsers submit it; other missing settings have their defaults.
    """
    fields, values = [], {}
    for each in wanted:
        missing = "no" if each.kind == "switch" else each.format(each.default)
        text, error = sent.get(each.name, missing), ""
        try:
            values[each.name] = each.parse(text)
            shown = _lines(each, values[each.name])
        except UsageError as trouble:
            shown, error = text, str(trouble)
        fields.append(SettingField(each, shown, error))
    return Form(_group(fields), values)


def _group(fields: list[SettingField]) -> tuple[Group, ...]:
    names = dict.fromkeys(each.setting.group for each in fields)
    return tuple(
        Group(name, tuple(each for each in fields if each.setting.group == name)) for name in names
    )


def _lines(setting: Setting, value: object) -> str:
    return _by_lines(setting, setting.format(value))


def _by_lines(setting: Setting, text: str) -> str:
    return text.replace(", ", "\n") if setting.kind == "list" else text
