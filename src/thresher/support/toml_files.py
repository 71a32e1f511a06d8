"""Our own TOML files: a version and known tables at the top level; values formatted as TOML."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Set as AbstractSet
from typing import Any

from thresher.errors import UsageError

__all__ = ["format_value", "read_toml"]


def read_toml(text: str, *, version: int, tables: AbstractSet[str]) -> dict[str, Any]:
    """Read a file with this version and only these tables; UsageError names what is invalid."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(str(error)) from error
    except RecursionError as error:
        raise UsageError("it is nested too deeply") from error
    if "version" not in data:
        raise UsageError(f"the line version = {version} is missing")
    if data["version"] != version:
        raise UsageError(f"version must be {version}, not {data['version']}")
    if unknown := data.keys() - tables - {"version"}:
        raise UsageError(f"unknown: {', '.join(sorted(unknown))}")
    return data


def format_value(value: object) -> str:
    """Format a string, number, boolean or list of these.

    JSON and TOML agree, except for DEL and for lone surrogates, which become question marks.
    """
    whole = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
    return whole.replace("\x7f", "\\u007f")
