"""JSON Schema of typed bodies (draft 2020-12, as OpenAPI 3.1 has it)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

_TYPES: Final[Mapping[object, str]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}


def refer(name: str) -> dict[str, str]:
    """Return a reference to a named schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


def collect_schemas(*bodies: type) -> dict[str, dict[str, Any]]:
    """Return the schemas of bodies, and of all bodies and enumerations in them, by name.

    Bodies are of `TypedDict`. Raises TypeError for a type that has no schema.
    """
    found: dict[str, dict[str, Any]] = {}
    pending = list(bodies)
    while pending:
        named = pending.pop(0)
        name = _name_of(named)
        if name in found:
            continue
        if issubclass(named, Enum):
            values = [member.value for member in named]
            found[name] = {"type": "string", "enum": values}
        else:
            found[name] = _describe_body(named, pending)
    return found


def _name_of(named: type) -> str:
    return named.__name__.removesuffix("Body")


def _describe_body(body: type, pending: list[type]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required = []
    for name, hint in get_type_hints(body, include_extras=True).items():
        is_required = get_origin(hint) is not NotRequired
        if is_required:
            required.append(name)
        properties[name] = _describe(hint if is_required else get_args(hint)[0], pending)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return {**schema, **({"required": required} if required else {})}


def _describe(hint: Any, pending: list[type]) -> dict[str, Any]:
    """Return the schema of a type; named ones in it are added to ``pending``."""
    origin, inner = get_origin(hint), get_args(hint)
    schema: dict[str, Any]
    if origin is Annotated:
        schema = {**_describe(inner[0], pending), "description": inner[1]}
    elif origin in (Union, UnionType):
        each = [_describe(one, pending) for one in inner]
        is_simple = all(schema.keys() == {"type"} for schema in each)
        schema = {"type": [one["type"] for one in each]} if is_simple else {"anyOf": each}
    elif origin is list:
        schema = {"type": "array", "items": _describe(inner[0], pending)}
    elif origin is dict:
        schema = {"type": "object", "additionalProperties": True}
    elif hint in _TYPES:
        schema = {"type": _TYPES[hint]}
    elif is_typeddict(hint) or (isinstance(hint, type) and issubclass(hint, Enum)):
        pending.append(hint)
        schema = dict(refer(_name_of(hint)))
    else:
        raise TypeError(f"{hint} has no schema")
    return schema
