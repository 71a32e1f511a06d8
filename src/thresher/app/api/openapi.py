"""OpenAPI 3.1 description of the API (https://spec.openapis.org/oas/v3.1.0).

Generated from `OPTIONS`, which also parses requests, and `FIELDS`, the fields of a record.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from thresher import __version__
from thresher.app.api.batch import MEDIA_TYPE
from thresher.app.api.options import OPTIONS, JsonField
from thresher.app.api.record import FIELDS
from thresher.app.problems import STATUSES
from thresher.app.settings import AppSettings
from thresher.support.settings import Setting

__all__ = ["describe_api"]

_TYPES: Final[Mapping[str, dict[str, Any]]] = {
    "switch": {"type": "boolean"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "text": {"type": "string"},
    "choice": {"type": "string"},
    "list": {"type": "array", "items": {"type": "string"}},
}
"""Kind of a setting → its JSON Schema."""
_FIELD_KINDS: Final[Mapping[str, dict[str, Any]]] = {
    "id": {"type": ["string", "integer"]},
    "page_type": {"type": ["object", "null"]},
    "confidence": {"type": ["number", "null"]},
    "obstacle": {"type": ["object", "null"]},
    "metadata": {"type": "object"},
    "elapsed_s": {"type": "number"},
    "output": {"type": "object", "additionalProperties": {"type": ["string", "object"]}},
    "method": {"type": "string"},
    "verdict": {"type": "string"},
}
"""Schemas of the fields of a record; all others are string or null."""
_QUERY: Final = tuple(name for name in OPTIONS if name not in ("html", "params"))
"""Options in the query if the body is the page itself."""


def _type_of(field: Setting | JsonField) -> dict[str, Any]:
    """Return the JSON Schema of a field's type alone."""
    if isinstance(field, Setting):
        return dict(_TYPES[field.kind])
    types = field.types
    schema: dict[str, Any] = {"type": types[0] if len(types) == 1 else list(types)}
    return {**schema, "additionalProperties": True} if types == ("object",) else schema


def _describe_field(field: Setting | JsonField) -> str:
    """Return the help of a field as a sentence, with its unit."""
    unit = field.unit if isinstance(field, Setting) else ""
    more = f" ({unit})" if unit and unit not in field.help else ""
    return f"{field.help[:1].upper()}{field.help[1:]}{more}."


def _query_parameter(name: str) -> dict[str, Any]:
    schema = _type_of(OPTIONS[name])
    return {
        "name": name,
        "in": "query",
        "description": f"For a body of text/html. {_describe_field(OPTIONS[name])}",
        "schema": schema,
        **({"explode": False} if schema["type"] == "array" else {}),
    }


def _refer(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _json(name: str, *, media_type: str = "application/json") -> dict[str, Any]:
    return {media_type: {"schema": _refer(name)}}


_ERRORS: Final = {
    str(status.value): {"description": f"{kind.__name__}", "content": _json("Error")}
    for kind, status in STATUSES.items()
} | {
    "408": {"description": "The request was sent too slowly", "content": _json("Error")},
    "415": {"description": "Neither JSON nor HTML", "content": _json("Error")},
    "503": {"description": "Too many pages are waiting", "content": _json("Error")},
}

_PATHS: Final[Mapping[str, Any]] = {
    "/api/extract": {
        "post": {
            "operationId": "extract",
            "summary": "Extract the main content of one page",
            "description": "Send JSON with the page or its address, or the page itself as"
            " text/html with the options in the query. Only public addresses are fetched, unless"
            " the server allows private ones.",
            "parameters": [_query_parameter(name) for name in _QUERY],
            "requestBody": {
                "required": True,
                "content": {**_json("Request"), "text/html": {"schema": {"type": "string"}}},
            },
            "responses": {
                "200": {"description": "The record of the page", "content": _json("Record")},
                **_ERRORS,
            },
        }
    },
    "/api/batch": {
        "post": {
            "operationId": "batch",
            "summary": "Extract many pages: one JSON object per line in, one record per line out",
            "description": "Records are sent in the order of the lines, while lines are still being"
            " received, each with its line number; a failed page has an error in place of its"
            " record. Read while you send: beyond 16 MiB of pending records, reading pauses.",
            "requestBody": {
                "required": True,
                "content": _json("Request", media_type=MEDIA_TYPE),
            },
            "responses": {
                "200": {
                    "description": "A record or an error for each line",
                    "content": _json("Record", media_type=MEDIA_TYPE),
                }
            },
        }
    },
    "/api/methods": {
        "get": {
            "operationId": "methods",
            "summary": "List the methods and their parameters",
            "responses": {
                "200": {
                    "description": "All methods",
                    "content": {"application/json": {"schema": {"type": "array"}}},
                }
            },
        }
    },
    "/healthz": {
        "get": {
            "operationId": "health",
            "summary": "Check whether the server is running",
            "responses": {"200": {"description": "The server is running"}},
        }
    },
    "/metrics": {
        "get": {
            "operationId": "metrics",
            "summary": "Metrics for Prometheus",
            "responses": {"200": {"description": "Text format 0.0.4"}},
        }
    },
}


def describe_api(settings: AppSettings) -> dict[str, Any]:
    """Return the OpenAPI document of a server."""
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Thresher",
            "version": __version__,
            "summary": "HTML in, main content out",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": dict(_PATHS),
        "components": {
            "schemas": {
                "Request": {
                    "type": "object",
                    "additionalProperties": False,
                    "anyOf": [{"required": ["html"]}, {"required": ["url"]}],
                    "properties": {name: _schema(option) for name, option in OPTIONS.items()},
                },
                "Record": {
                    "type": "object",
                    "properties": {
                        name: {
                            **_FIELD_KINDS.get(name, {"type": ["string", "null"]}),
                            **description,
                        }
                        for name, description in _describe(FIELDS)
                    },
                },
                "Error": _ERROR,
            }
        },
    }
    if settings.token is not None:
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"token": []}]
    return document


_ERROR: Final[Mapping[str, Any]] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["type", "message", "status"],
            "properties": {
                "type": {"type": "string", "description": "Name of the error"},
                "message": {"type": "string"},
                "status": {"type": "integer"},
            },
        }
    },
}


def _describe(fields: Mapping[str, str]) -> list[tuple[str, dict[str, str]]]:
    return [(name, {"description": text}) for name, text in fields.items()]


def _schema(field: Setting | JsonField) -> dict[str, Any]:
    """Return the JSON Schema of a request field."""
    schema = _type_of(field)
    if isinstance(field, Setting):
        if field.choices and field.kind == "list":
            schema["items"] = {"type": "string", "enum": list(field.choices)}
        elif field.choices:
            schema["enum"] = list(field.choices)
        bounds = {"minimum": field.low, "maximum": field.high, "exclusiveMinimum": field.above}
        schema.update({name: bound for name, bound in bounds.items() if bound is not None})
    if field.default not in (None, ""):
        default = field.default
        schema["default"] = list(default) if isinstance(default, tuple) else default
    schema["description"] = _describe_field(field)
    return schema
