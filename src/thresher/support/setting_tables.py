"""Settings as tables of TOML files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from thresher.support.settings import describe, find
from thresher.support.toml_files import format_value

__all__ = ["from_table", "write_table"]

_T = TypeVar("_T")


def from_table(kind: type[_T], table: Mapping[str, object]) -> _T:
    """Create settings from a table of a TOML file, with defaults for missing entries.

    UsageError for an unknown name or an invalid value.
    """
    return kind(**{name: find(kind, name).check(value) for name, value in table.items()})


def write_table(settings: object, name: str) -> str:
    """Write settings as a table of a TOML file, with a comment above each entry."""
    return "\n".join(_write(settings, name)) + "\n"


def _write(settings: object, name: str) -> Iterator[str]:
    yield f"[{name}]"
    group = ""
    for each in describe(type(settings)):
        if each.group != group:
            group = each.group
            yield f"\n# {group}\n"
        choices = f" ({', '.join(each.choices)})" if each.choices else ""
        yield f"# {each.help}{choices}"
        yield f"{each.name} = {format_value(getattr(settings, each.name))}"
