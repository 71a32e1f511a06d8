"""Schema.org objects in the shape of JSON-LD, and the scripts that hold them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Final, TypeAlias

__all__ = ["MAX_DEPTH", "MAX_VALUE_CHARS", "Entity", "JsonValue", "as_list", "read_json_ld"]

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
Entity: TypeAlias = dict[str, JsonValue]
"""A schema.org object, keys as in JSON-LD: `@type`, `@id` and property names."""

MAX_DEPTH: Final = 32
"""Levels of nesting kept of an object; the deepest seen on a thousand pages had 11."""
MAX_VALUE_CHARS: Final = 100_000
"""Longest string kept, in characters; longer ones (an article, a data URL) are truncated."""


def _read_finite(number: str) -> float | None:
    value = float(number)
    return value if math.isfinite(value) else None


_DECODER: Final = json.JSONDecoder(
    strict=False, parse_float=_read_finite, parse_constant=lambda _: None
)
"""Accepts raw line breaks in strings, the most common error in JSON-LD, and what is not a finite
number as null."""


def as_list(value: JsonValue) -> list[JsonValue]:
    """Return the values of a property, which may have one or a list of them."""
    return value if isinstance(value, list) else [value]


def read_json_ld(script: str) -> Iterator[Entity]:
    """Yield the objects of one JSON-LD script; none if it is not JSON.

    The parser's own `json_ld` rejects a script with a raw line break in a string, a CDATA wrapper
    or trailing text. Here a script is read from its first bracket to the end of the value.
    """
    text = script.replace("<![CDATA[", "")
    brackets = [place for place in (text.find("{"), text.find("[")) if place >= 0]
    if not brackets:
        return
    try:
        value, _ = _DECODER.raw_decode(text, min(brackets))
    except (ValueError, RecursionError):
        return
    yield from _flatten(_prune(value, MAX_DEPTH) if _may_have_excess(text) else value)


def _flatten(value: JsonValue) -> Iterator[Entity]:
    """Yield the objects of a value in order, with lists and graphs flattened."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, dict):
            graph = value.get("@graph")
            if len(value) > 1 + ("@context" in value) or not isinstance(graph, (list, dict)):
                yield {key: part for key, part in value.items() if key != "@graph"}
            waiting.append(graph)


def _may_have_excess(text: str) -> bool:
    """Return whether a script may hold what is pruned; small ones do not."""
    if len(text) > MAX_VALUE_CHARS or text.count("{") + text.count("[") > MAX_DEPTH:
        return True
    if "\\ud" in text or "\\uD" in text:
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _prune(value: JsonValue, levels: int) -> JsonValue:
    """Copy a decoded value without what UTF-8 cannot represent or is too deep or long.

    Recursion is limited to ``levels``.
    """
    if isinstance(value, str):
        return value if _is_plain(value) else _without_surrogates(value[:MAX_VALUE_CHARS])
    if isinstance(value, dict) and levels:
        return {
            key if key.isascii() else _without_surrogates(key): (
                part if isinstance(part, str) and _is_plain(part) else _prune(part, levels - 1)
            )
            for key, part in value.items()
        }
    if isinstance(value, list) and levels:
        return [_prune(part, levels - 1) for part in value]
    return None if isinstance(value, (dict, list)) else value


def _is_plain(text: str) -> bool:
    return text.isascii() and len(text) <= MAX_VALUE_CHARS


def _without_surrogates(text: str) -> str:
    """Replace lone surrogates, which JSON can escape but UTF-8 cannot encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
