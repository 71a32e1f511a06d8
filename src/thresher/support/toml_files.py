"""Our own TOML files: a version and known tables at the top level, and settings as tables."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from math import inf
from typing import Any, TypeVar

from thresher.errors import UsageError
from thresher.support.settings import describe, find


def read_toml(text: str, *, version: int, tables: AbstractSet[str]) -> dict[str, Any]:
    """Read a file with this version and only these tables; UsageError names what is invalid."""
    data = parse_toml(text)
    if "version" not in data:
        raise UsageError(f"the line version = {version} is missing")
    if data["version"] != version:
        raise UsageError(f"version must be {version}, not {data['version']}")
    if unknown := data.keys() - tables - {"version"}:
        raise UsageError(f"unknown: {', '.join(sorted(unknown))}")
    return data


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML; UsageError if it is none."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(str(error)) from error
    except RecursionError as error:
        raise UsageError("it is nested too deeply") from error


def format_value(value: object) -> str:
    """Format a string, number, boolean or list of these.

    JSON and TOML agree, except for DEL and for lone surrogates, which become question marks.
    """
    whole = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
    return whole.replace("\x7f", "\\u007f")


def format_list(values: Iterable[str], max_chars: float = inf) -> str:
    """Format a list of strings, one a line if all on one would be longer than ``max_chars``."""
    quoted = [format_value(value) for value in values]
    line = f"[{', '.join(quoted)}]"
    if not quoted or len(line) <= max_chars:
        return line
    return "[\n" + "".join(f"  {value},\n" for value in quoted) + "]"


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
    for setting in describe(type(settings)):
        if setting.group != group:
            group = setting.group
            yield f"\n# {group}\n"
        choices = f" ({', '.join(setting.choices)})" if setting.choices else ""
        yield f"# {setting.help}{choices}"
        yield f"{setting.name} = {format_value(getattr(settings, setting.name))}"
