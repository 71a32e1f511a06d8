"""Handlers of the API, of pages that the browser extension sends, and of what watches a server.

Of the OpenAPI 3.1 description (https://spec.openapis.org/oas/v3.1.0), what is fixed is in
``openapi.json``; the fields of a request come from `OPTIONS`, which also parses requests, and the
answers to requests that failed from the statuses of errors. Defaults are in the descriptions, not
in the keyword ``default``: for generated clients a field with a default would be one that must be
sent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from thresher import __version__
from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD, Algorithm
from thresher.analysis.obstacles import ObstacleKind
from thresher.app.api.batch import BatchResponse, answer_list
from thresher.app.api.requests import (
    OPTIONS,
    JsonField,
    is_json,
    load_json,
    read_body,
    take_pages,
    task_of,
)
from thresher.app.context import context_of, render
from thresher.app.engine import PageSource, label_record, write_record
from thresher.app.labels import store_of
from thresher.app.logs import CONTENT_TYPE
from thresher.app.pages.opening import path_of
from thresher.app.pages.saved import ask_list, save_opened
from thresher.app.saved_changes import NewHighlight, add_highlight
from thresher.app.settings import AppSettings
from thresher.batch.model import Item
from thresher.document import Verdict
from thresher.errors import ThresherError, UsageError
from thresher.labelling.reading import page_of
from thresher.labelling.store import LabelStore
from thresher.serving.pages import STATUSES
from thresher.support.settings import Setting

_ESCAPED: int = 2
"""Growth factor of a page when it is escaped in a line of JSON."""


async def extract(request: Request) -> Response:
    """Extract one page."""
    context = context_of(request)
    try:
        parsed = await read_body(
            context, await request.body(), request.headers, request.query_params
        )
        await take_pages(request)
        task = await task_of(context, parsed)
        verdict, record = await context.work(write_record, task, parsed.formats, parsed.options)
    except ThresherError as error:
        context.metrics.pages[type(error).__name__] += 1
        raise
    context.metrics.pages[verdict] += 1
    return Response(label_record(parsed.label, record), media_type="application/json")


async def batch(request: Request) -> Response:
    """Extract one page per line, as the lines arrive; or the pages of one object."""
    context = context_of(request)
    if is_json(request.headers):
        return await answer_list(context, request)
    return BatchResponse(context, context.settings.max_bytes * _ESCAPED)


async def list_methods(request: Request) -> Response:
    """List the methods with their parameters."""
    return JSONResponse([_describe(name, each) for name, each in ALGORITHMS.items()])


async def show_openapi(request: Request) -> Response:
    """Return the OpenAPI document."""
    return JSONResponse(describe_api(context_of(request).settings))


async def show_api(request: Request) -> Response:
    """Show the API documentation."""
    document = describe_api(context_of(request).settings)
    example = json.dumps({"url": "https://example.org/story", "formats": ["markdown"]})
    return render(
        request,
        "api.html",
        api=document,
        request_fields=document["components"]["schemas"]["Request"]["properties"],
        tables={name: schema["properties"] for name, schema in _list_bodies(document)},
        name_type=_name_type,
        base=str(request.base_url).rstrip("/"),
        example=example,
    )


def _list_bodies(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the schemas of objects, by name."""
    schemas = document["components"]["schemas"]
    return [(name, schema) for name, schema in schemas.items() if "properties" in schema]


def _name_type(schema: dict[str, Any]) -> str:
    """Return the type of a schema in words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(map(_name_type, schema["anyOf"]))
    if schema["type"] == "array":
        return f"list of {_name_type(schema['items'])}"
    return schema["type"] if isinstance(schema["type"], str) else " or ".join(schema["type"])


def _describe(name: str, algorithm: Algorithm) -> dict[str, Any]:
    parameters = [
        {
            "name": parameter.name,
            "default": parameter.display(parameter.default),
            "help": parameter.help,
            "minimum": parameter.low,
            "maximum": parameter.high,
        }
        for parameter in algorithm.parameters()
    ]
    return {
        "name": name,
        "summary": algorithm.summary,
        "source": algorithm.source,
        "is_default": name == DEFAULT_METHOD,
        "parameters": parameters,
    }


_PAGE_FIELDS: Final = {"html": str, "url": str, "save": bool, "quote": str, "label": bool}
"""Field of a request → its type; all but ``html`` may be missing."""


async def put_page(request: Request) -> Response:
    """Take a page as a browser shows it; answer with its paths in the app.

    ``save`` puts it into the saved list, ``quote`` highlights a passage of it there, and ``label``
    adds it to the pages to label.
    """
    if not is_json(request.headers):
        raise HTTPException(415, "send application/json")
    context = context_of(request)
    values = _check_page(await load_json(context, await request.body()))
    await take_pages(request)
    source = PageSource(values["html"], values.get("url") or None)
    saved = label = None
    if values.get("save") or values.get("quote"):
        saved = await save_opened(request, source)  # one that is in the list stays as it is
    if quote := values.get("quote"):
        number, new = saved or 0, NewHighlight(quote, "", "", 0)
        await ask_list(context, lambda pages: add_highlight(pages, number, new))
    if values.get("label"):
        store, max_bytes = store_of(context), context.settings.max_bytes
        label = await anyio.to_thread.run_sync(_add_to_labels, store, source, max_bytes)
    name = context.page_cache.put(source)
    return JSONResponse(
        {
            "read": path_of("read", name, source),
            "inspect": path_of("inspect", name, source),
            "saved": saved,
            "label": None if label is None else f"/label?page={label}",
        }
    )


def _check_page(values: object) -> dict[str, Any]:
    """Return the fields of a request; UsageError if it is invalid."""
    if not isinstance(values, dict):
        raise UsageError("a request must be a JSON object")
    for name, value in values.items():
        if name not in _PAGE_FIELDS:
            raise UsageError(f"there is no field {name}; one of {', '.join(_PAGE_FIELDS)}")
        if not isinstance(value, _PAGE_FIELDS[name]):
            raise UsageError(f"{name} must be a {_PAGE_FIELDS[name].__name__}")
    if not values.get("html"):
        raise UsageError("html is required")
    return values


def _add_to_labels(store: LabelStore, source: PageSource, max_bytes: int) -> int | None:
    """Add a page to those to label, or find it there; return its number."""
    body = str(source.body).encode("utf-8", "replace")
    page = page_of(Item(source.url or "page", body, source.url, "utf-8"), max_bytes)
    store.add([page])
    return store.number_of(page)


async def show_health(request: Request) -> Response:
    """Report that the server is running."""
    return JSONResponse({"status": "ok", "version": __version__})


async def show_metrics(request: Request) -> Response:
    """Return the metrics for Prometheus."""
    context = context_of(request)
    gauges = {
        "thresher_calls_waiting": context.pool.n_waiting,
        "thresher_kept_bytes": context.page_cache.n_bytes,
        "thresher_kept_pages": len(context.page_cache),
        "thresher_workers": context.pool.n_worker,
    }
    return Response(context.metrics.write(gauges), headers={"Content-Type": CONTENT_TYPE})


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
_OF_APP: Final = frozenset(("/api/pages",))
"""Paths that are not there where the API alone is served."""


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
        schemas[kind.__name__]["enum"] = [each.value for each in kind]
    if settings.only_api:
        for path in _OF_APP:
            del paths[path]
    if settings.token is not None:
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"token": []}]
    return document


def _type_of(field: Setting | JsonField) -> dict[str, Any]:
    """Return the JSON Schema of a field's type alone."""
    if isinstance(field, Setting):
        return deepcopy(_TYPES[field.kind])
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
