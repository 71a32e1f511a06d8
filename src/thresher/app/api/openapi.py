"""OpenAPI 3.1 description of the API (https://spec.openapis.org/oas/v3.1.0).

What is fixed is in ``openapi.json``; the fields of a request come from `OPTIONS`, which also parses
requests, and the answers to requests that failed from the statuses of errors. Defaults are in the
descriptions, not in the keyword ``default``: for generated clients a field with a default would be
one that must be sent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from thresher import __version__
from thresher.analysis.obstacles import ObstacleKind
from thresher.app.api.requests import OPTIONS, JsonField
from thresher.app.settings import AppSettings
from thresher.document import Verdict
from thresher.serving.pages import STATUSES
from thresher.support.settings import Setting

_DOCUMENT: Final = Path(__file__).with_name("openapi.json")
_TYPES: Final[Mapping[str, dict[str, Any]]] = {
    "switch": {"type": "boolean"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "text": {"type": "string"},
    "choice": {"type": "string"},
    "list": {"type": "array", "items": {"type": "string"}},
}
"""Kind of a setting → its JSON Schema."""
_QUERY: Final = tuple(name for name in OPTIONS if name not in ("html", "params"))
"""Options in the query if the body is the page itself."""
_ERRORS: Final = {
    **{str(status.value): kind.__name__ for kind, status in STATUSES.items()},
    "408": "The request was sent too slowly",
    "415": "Neither JSON nor HTML",
    "429": "The pages per minute of a key are used up",
    "503": "Too many pages are waiting",
}
"""Status of an answer → why a request failed."""
_ERRORS_OF: Final = {
    "/api/extract": tuple(_ERRORS),
    "/api/batch": ("400", "408", "413", "429", "503"),
    "/api/pages": ("400", "408", "413", "415", "429"),
}


def describe_api(settings: AppSettings) -> dict[str, Any]:
    """Return the OpenAPI document of a server."""
    document: dict[str, Any] = json.loads(_DOCUMENT.read_text(encoding="utf-8"))
    document["info"]["version"] = __version__
    paths, schemas = document["paths"], document["components"]["schemas"]
    paths["/api/extract"]["post"]["parameters"] = [_query_parameter(name) for name in _QUERY]
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for path, statuses in _ERRORS_OF.items():
        paths[path]["post"]["responses"] |= {
            status: {"description": _ERRORS[status], "content": error} for status in statuses
        }
    schemas["Request"]["properties"] = {name: _schema(field) for name, field in OPTIONS.items()}
    for kind in (Verdict, ObstacleKind):
        schemas[kind.__name__]["enum"] = [member.value for member in kind]
    if settings.only_api:
        del paths["/api/pages"]
    if settings.token is not None:
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"token": []}]
    return document


def _type_of(field: Setting | JsonField) -> dict[str, Any]:
    """Return the JSON Schema of a field's type alone."""
    if isinstance(field, Setting):
        return dict(_TYPES[field.kind])
    types = field.types
    schema: dict[str, Any] = {"type": types[0] if len(types) == 1 else list(types)}
    return {**schema, "additionalProperties": True} if types == ("object",) else schema


def _describe_field(field: Setting | JsonField) -> str:
    """Return the help of a field as a sentence, with its unit, and its default."""
    unit = field.unit if isinstance(field, Setting) else ""
    more = f" ({unit})" if unit and unit not in field.help else ""
    said = f"{field.help[:1].upper()}{field.help[1:]}{more}."
    if field.default in (None, "", {}):
        return said
    return f"{said} Default: {json.dumps(field.default)}."


def _query_parameter(name: str) -> dict[str, Any]:
    schema = _type_of(OPTIONS[name])
    return {
        "name": name,
        "in": "query",
        "description": f"For a body of text/html. {_describe_field(OPTIONS[name])}",
        "schema": schema,
        **({"explode": False} if schema["type"] == "array" else {}),
    }


def _schema(field: Setting | JsonField) -> dict[str, Any]:
    schema = _type_of(field)
    if isinstance(field, Setting):
        if field.choices and field.kind == "list":
            schema["items"] = {"type": "string", "enum": list(field.choices)}
        elif field.choices:
            schema["enum"] = list(field.choices)
        bounds = {"minimum": field.low, "maximum": field.high, "exclusiveMinimum": field.above}
        schema.update({name: bound for name, bound in bounds.items() if bound is not None})
    schema["description"] = _describe_field(field)
    return schema


def name_type(schema: dict[str, Any]) -> str:
    """Return the type of a schema in words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(map(name_type, schema["anyOf"]))
    if schema["type"] == "array":
        return f"list of {name_type(schema['items'])}"
    return schema["type"] if isinstance(schema["type"], str) else " or ".join(schema["type"])
