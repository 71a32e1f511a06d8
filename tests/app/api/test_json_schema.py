"""Schemas of typed bodies."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, NotRequired, TypedDict

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

from thresher.app.api.json_schema import collect_schemas


class GrainBody(TypedDict):
    """Body with a field of each kind."""

    kind: Kind
    sacks: Annotated[int | None, "How many."]
    notes: NotRequired[list[str | int]]
    field: FieldBody | None
    more: dict[str, Any]


class Kind(Enum):
    """Enumeration."""

    RYE = "rye"
    OATS = "oats"


class FieldBody(TypedDict):
    """Body in a body."""

    next: list[FieldBody]


class WrongBody(TypedDict):
    """Body with a field that JSON does not have."""

    mask: bytes


def test_bodies_and_what_they_contain_are_described() -> None:
    """A schema has types, descriptions and required fields, and refers to others by name."""
    found = collect_schemas(GrainBody)
    assert ["Grain", "Kind", "Field"] == list(found)
    assert {"type": "string", "enum": ["rye", "oats"]} == found["Kind"]
    assert ["kind", "sacks", "field", "more"] == found["Grain"]["required"]
    to_field = {"$ref": "#/components/schemas/Field"}
    assert {
        "kind": {"$ref": "#/components/schemas/Kind"},
        "sacks": {"type": ["integer", "null"], "description": "How many."},
        "notes": {"type": "array", "items": {"type": ["string", "integer"]}},
        "field": {"anyOf": [to_field, {"type": "null"}]},
        "more": {"type": "object", "additionalProperties": True},
    } == found["Grain"]["properties"]
    assert {"type": "array", "items": to_field} == found["Field"]["properties"]["next"]


def test_what_json_does_not_have_is_refused() -> None:
    """A type without a schema is an error of ours, and named."""
    with pytest.raises(TypeError, match="bytes"):
        collect_schemas(WrongBody)
