"""Parser of the data that Next.js embeds for its scripts: rows in `self.__next_f.push` calls.

The concatenated strings of all calls are rows of ``id:JSON`` lines and of ``id:T`` texts with
their length in bytes (React Server Components, "Flight"). Rows refer to others as ``$id``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from thresher.analysis.json_ld import JsonValue

__all__ = ["is_flight", "read_flight"]

_PUSH: Final = re.compile(r"self\.__next_f\.push\(\s*(?=\[)")
_ROW: Final = re.compile(rb"([0-9a-f]+):(?:T([0-9a-f]{1,8}),|([\[{])?)")
_REFERENCE: Final = re.compile(r"\$L?([0-9a-f]+)")
_DECODER: Final = json.JSONDecoder(strict=False, parse_constant=lambda _: None)
_ELEMENT: Final = "$"


def is_flight(script: str) -> bool:
    """Return whether a script is one of the calls."""
    return "self.__next_f.push" in script


def read_flight(scripts: Iterable[str]) -> JsonValue:
    """Return the rows of all calls: id → value, with references resolved.

    The result may contain shared parts and cycles.
    """
    stream = "".join(_pieces(scripts)).encode("utf-8", "replace")
    rows: dict[str, JsonValue] = {}
    at = 0
    while row := _ROW.match(stream, at):
        name, length = row[1].decode(), row[2]
        if length:
            at = row.end() + int(length, 16)
            rows[name] = stream[row.end() : at].decode("utf-8", "replace")
            continue
        line_stop = stream.find(b"\n", row.end())
        line_stop = len(stream) if line_stop < 0 else line_stop
        if row[3]:
            try:
                rows[name] = json.loads(stream[row.end() - 1 : line_stop], strict=False)
            except (ValueError, RecursionError):
                rows[name] = None
        at = line_stop + 1
    _link(rows)
    return rows


def _pieces(scripts: Iterable[str]) -> Iterator[str]:
    """Yield the strings of the calls, in order."""
    for script in scripts:
        call = _PUSH.search(script)
        if not call:
            continue
        try:
            value, _ = _DECODER.raw_decode(script, call.end())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, list) and len(value) > 1 and isinstance(value[1], str):
            yield value[1]


def _link(rows: dict[str, JsonValue]) -> None:
    """Replace references with rows, and elements with objects with ``type`` and ``children``."""
    waiting: list[JsonValue] = [rows]
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, dict):
            for key, part in value.items():
                value[key] = _resolve(part, rows)
            waiting.extend(value.values())
        elif isinstance(value, list):
            value[:] = [_resolve(part, rows) for part in value]
            waiting.extend(value)


def _resolve(part: JsonValue, rows: dict[str, JsonValue]) -> JsonValue:
    if isinstance(part, str) and part.startswith("$"):
        reference = _REFERENCE.fullmatch(part)
        if reference:
            part = rows.get(reference[1])
        else:
            return part[1:] if part.startswith("$$") else None
    if isinstance(part, list) and len(part) >= 4 and part[0] == _ELEMENT:
        kind, props = part[1], part[3]
        if isinstance(kind, str) and isinstance(props, dict):
            return {**props, "type": kind}
    return part
