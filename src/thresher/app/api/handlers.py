"""Handlers of the API."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD, Algorithm
from thresher.app.api.batch import BatchResponse
from thresher.app.api.batch_list import answer_list
from thresher.app.api.openapi import describe_api
from thresher.app.api.record import label_record, write_record
from thresher.app.api.requests import is_json, read_body, take_pages, task_of
from thresher.app.context import context_of, render
from thresher.errors import ThresherError

__all__ = ["batch", "extract", "list_methods", "show_api", "show_openapi"]

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
