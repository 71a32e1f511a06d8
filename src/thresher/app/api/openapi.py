"""OpenAPI 3.1 description of the API (https://spec.openapis.org/oas/v3.1.0).

Generated from `OPTIONS`, which also parses requests, and from the types in
`thresher.app.api.bodies`. Defaults are in the descriptions, not in the keyword ``default``: for
generated clients a field with a default would be one that must be sent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from thresher import __version__
from thresher.app.api import bodies
from thresher.app.api.batch import MEDIA_TYPE
from thresher.app.api.json_schema import collect_schemas, refer
from thresher.app.api.requests import OPTIONS, JsonField
from thresher.app.settings import AppSettings
from thresher.serving.problems import STATUSES
from thresher.support.settings import Setting

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
    default = field.default
    spelled = json.dumps(list(default) if isinstance(default, tuple) else default)
    return f"{said} Default: {spelled}."


def _query_parameter(name: str) -> dict[str, Any]:
    schema = _type_of(OPTIONS[name])
    return {
        "name": name,
        "in": "query",
        "description": f"For a body of text/html. {_describe_field(OPTIONS[name])}",
        "schema": schema,
        **({"explode": False} if schema["type"] == "array" else {}),
    }


def _json(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": refer(name)}}


_ANSWERS: Final = (
    bodies.RecordBody,
    bodies.ErrorBody,
    bodies.BatchAnswerBody,
    bodies.MethodBody,
    bodies.HealthBody,
    bodies.PageBody,
)
_ERRORS: Final = {
    str(status.value): {"description": f"{kind.__name__}", "content": _json("Error")}
    for kind, status in STATUSES.items()
} | {
    "408": {"description": "The request was sent too slowly", "content": _json("Error")},
    "415": {"description": "Neither JSON nor HTML", "content": _json("Error")},
    "429": {"description": "The pages per minute of a key are used up", "content": _json("Error")},
    "503": {"description": "Too many pages are waiting", "content": _json("Error")},
}

_PATHS: Final[Mapping[str, Any]] = {
    "/api/extract": {
        "post": {
            "operationId": "extract",
            "summary": "Extract the main content of one page",
            "description": "Send JSON with the page or its address, or the page itself as"
            " text/html with the options in the query. Only public addresses are fetched, unless"
            " the server allows private ones. A body may be compressed (Content-Encoding: gzip).",
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
            "summary": "Extract many pages: one JSON object per line in, one record per line out;"
            " or a list of pages in one JSON object, and a list of records",
            "description": "Records are in the order of the pages, each with its number; a failed"
            " page has an error in place of its record. As lines, records are sent while lines are"
            " still being received, of any number: read while you send, for beyond 16 MiB of"
            " pending records, reading pauses. As one object, a batch is as large as one request"
            " may be.",
            "requestBody": {
                "required": True,
                "content": {
                    **_json("BatchRequest"),
                    MEDIA_TYPE: {
                        "schema": {
                            "type": "string",
                            "description": "On each line a Request.",
                        }
                    },
                },
            },
            "responses": {
                "200": {
                    "description": "A record or an error for each page, in the form of the request",
                    "content": {
                        **_json("BatchAnswer"),
                        MEDIA_TYPE: {
                            "schema": {
                                "type": "string",
                                "description": "On each line a LineRecord or a LineError.",
                            }
                        },
                    },
                },
                **{status: _ERRORS[status] for status in ("400", "408", "413", "429", "503")},
            },
        }
    },
    "/api/pages": {
        "post": {
            "operationId": "pages",
            "summary": "Open a page in the app, as a browser shows it; save, highlight or label it",
            "description": "What the browser extension sends. Not there where the API alone is"
            " served.",
            "requestBody": {"required": True, "content": _json("PageRequest")},
            "responses": {
                "200": {"description": "Where the page is", "content": _json("Page")},
                **{status: _ERRORS[status] for status in ("400", "408", "413", "415", "429")},
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
                    "content": {
                        "application/json": {
                            "schema": {"type": "array", "items": refer("Method")},
                        }
                    },
                }
            },
        }
    },
    "/healthz": {
        "get": {
            "operationId": "health",
            "summary": "Check whether the server is running",
            "responses": {
                "200": {"description": "The server is running", "content": _json("Health")}
            },
        }
    },
    "/metrics": {
        "get": {
            "operationId": "metrics",
            "summary": "Metrics for Prometheus",
            "responses": {
                "200": {
                    "description": "Text format 0.0.4",
                    "content": {"text/plain": {"schema": {"type": "string"}}},
                }
            },
        }
    },
}

_OF_APP: Final = frozenset(("/api/pages",))
"""Paths that are not there where the API alone is served."""


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
        "paths": {
            path: described
            for path, described in _PATHS.items()
            if not (settings.only_api and path in _OF_APP)
        },
        "components": {
            "schemas": {
                "Request": {
                    "type": "object",
                    "additionalProperties": False,
                    "description": "A page, by html or by its address; one of the two is required.",
                    "properties": {name: _schema(option) for name, option in OPTIONS.items()},
                },
                "BatchRequest": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["pages"],
                    "properties": {"pages": {"type": "array", "items": refer("Request")}},
                },
                "PageRequest": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["html"],
                    "properties": {
                        "html": {"type": "string"},
                        "url": {"type": "string"},
                        "save": {"type": "boolean", "description": "Put it into the saved list."},
                        "quote": {
                            "type": "string",
                            "description": "A passage to highlight in the saved list.",
                        },
                        "label": {"type": "boolean", "description": "Add it to those to label."},
                    },
                },
                **collect_schemas(*_ANSWERS),
            }
        },
    }
    if settings.token is not None:
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"token": []}]
    return document


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
    schema["description"] = _describe_field(field)
    return schema
