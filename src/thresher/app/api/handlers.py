"""Handlers of the API, of pages that the browser extension sends, and of what watches a server.

Of the OpenAPI 3.1 description (https://spec.openapis.org/oas/v3.1.0), what is fixed is in
``openapi.json``; the fields of a request come from `OPTIONS`, which also parses requests, and the
answers to requests that failed from the statuses of errors. Defaults are in the descriptions, not
in the keyword ``default``: for generated clients a field with a default would be one that must be
sent.

Batches are many requests in, a record or an error for each out, in the same order. As lines, of any
number, with backpressure: lines are read no faster than they are processed, and processed no faster
than the client reads records: beyond `_MAX_AHEAD_BYTES` of pending records, reading pauses. Or as
one object with a list of pages, for clients that are generated from the OpenAPI document, and for
batches that fit in one request.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from thresher import __version__
from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD, Algorithm
from thresher.analysis.obstacles import ObstacleKind
from thresher.app.api.requests import (
    OPTIONS,
    ApiRequest,
    JsonField,
    is_json,
    load_json,
    parse,
    read_body,
    read_values,
    take_pages,
    task_of,
)
from thresher.app.context import AppContext, context_of, describe, render
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
from thresher.writers import FORMATS


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
    return BatchResponse(context, context.settings.max_escaped_bytes)


async def list_methods(request: Request) -> Response:
    """List the methods with their parameters."""
    return JSONResponse([_describe(name, algorithm) for name, algorithm in ALGORITHMS.items()])


async def show_openapi(request: Request) -> Response:
    """Return the OpenAPI document."""
    return JSONResponse(describe_api(context_of(request).settings))


async def show_api(request: Request) -> Response:
    """Show the API documentation."""
    document = describe_api(context_of(request).settings)
    schemas = document["components"]["schemas"]
    return render(
        request,
        "api.html",
        api=document,
        request_fields=schemas["Request"]["properties"],
        tables={
            name: schema["properties"] for name, schema in schemas.items() if "properties" in schema
        },
        name_type=_name_type,
        base=str(request.base_url).rstrip("/"),
        example=json.dumps({"url": "https://example.org/story", "formats": ["markdown"]}),
    )


def _name_type(schema: dict[str, Any]) -> str:
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
        schemas[kind.__name__]["enum"] = [member.value for member in kind]
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


_MEDIA_TYPE: Final = FORMATS["jsonl"].media_type
_MAX_AHEAD_BYTES: Final = 16 * 2**20
"""Bytes of pending records, some 5,000 pages: the most that a client can send before it reads."""
_AT_WORK: Final = 2
"""Pages in progress per worker, so that no worker waits for the event loop."""


@dataclass(slots=True)
class _Slot:
    """Position of one record in the output."""

    line: bytes = b""
    done: anyio.Event = field(default_factory=anyio.Event)


class BatchResponse(Response):
    """Response that is sent while the request is still being received."""

    def __init__(self, context: AppContext, max_line_bytes: int) -> None:
        super().__init__(media_type=_MEDIA_TYPE)
        self._context = context
        self._max_line_bytes = max_line_bytes
        self._limits = context.settings.connections
        self._waiting_bytes = 0
        self._drained = anyio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read, process and write concurrently, until the lines end or the client disconnects."""
        headers = [(name, value) for name, value in self.raw_headers if name != b"content-length"]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        put, get = anyio.create_memory_object_stream[_Slot](float("inf"))
        is_connected = True
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._read, Request(scope, receive), put, group)
                await self._write(get, send)
                group.cancel_scope.cancel()
        except* (ClientDisconnect, TimeoutError):
            is_connected = False  # there is no client to send an error to
        if is_connected:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _read(
        self, request: Request, put: MemoryObjectSendStream[_Slot], group: TaskGroup
    ) -> None:
        """Start processing each line as capacity permits."""
        room = anyio.Semaphore(_AT_WORK * self._context.pool.n_worker)
        number = 0
        async with put:
            try:
                async for line in self._lines(request):
                    if not line.strip():
                        continue
                    number += 1
                    await take_pages(request, waits=True)
                    await room.acquire()
                    while self._waiting_bytes > _MAX_AHEAD_BYTES:
                        self._drained = anyio.Event()
                        await self._drained.wait()
                    slot = _Slot()
                    put.send_nowait(slot)
                    group.start_soon(self._fill, slot, number, line, room)
            except HTTPException as error:
                slot = _Slot(_write_error({"line": number + 1}, error))
                slot.done.set()
                put.send_nowait(slot)

    async def _lines(self, request: Request) -> AsyncIterator[bytes]:
        """Yield the lines of a body; raise HTTPException if one is too long or too slow."""
        rest = bytearray()
        chunks = request.stream()
        until_s = anyio.current_time() + self._limits.body_s
        while True:
            try:
                with anyio.fail_after(max(until_s - anyio.current_time(), 0)):
                    chunk = await anext(chunks, b"")
            except TimeoutError:
                raise HTTPException(408, "no line was received for a while") from None
            # The end of the body ends a line.
            first, *others = chunk.split(b"\n") if chunk else (b"", b"")
            rest += first
            for following in others:
                yield self._check(rest)
                rest[:] = following
                until_s = anyio.current_time() + self._limits.body_s
            self._check(rest)
            if not chunk:
                return

    def _check(self, line: bytearray) -> bytes:
        if len(line) > self._max_line_bytes:
            raise HTTPException(413, f"a line is longer than {self._max_line_bytes:,} bytes")
        return bytes(line)

    async def _fill(self, slot: _Slot, number: int, line: bytes, room: anyio.Semaphore) -> None:
        try:
            slot.line = await _answer_line(self._context, number, parse(self._context, line))
        finally:
            self._waiting_bytes += len(slot.line)
            slot.done.set()
            room.release()

    async def _write(self, get: MemoryObjectReceiveStream[_Slot], send: Send) -> None:
        """Send the records in order, as soon as they are ready."""
        async with get:
            async for slot in get:
                await slot.done.wait()
                with anyio.fail_after(self._limits.response_s):
                    await send({"type": "http.response.body", "body": slot.line, "more_body": True})
                self._waiting_bytes -= len(slot.line)
                self._drained.set()


async def _answer_line(context: AppContext, number: int, request: Awaitable[ApiRequest]) -> bytes:
    """Extract the page of a request that may still have to be parsed; never raises."""
    pages = context.metrics.pages
    label: dict[str, object] = {"line": number}
    try:
        parsed = await request
        label |= parsed.label
        task = await task_of(context, parsed)
        verdict, record = await context.wait_and_work(
            write_record, task, parsed.formats, parsed.options
        )
    except Exception as error:
        pages[type(error).__name__ if isinstance(error, ThresherError) else "Exception"] += 1
        return _write_error(label, error)
    pages[verdict] += 1
    return b"%b\n" % label_record(label, record)


def _write_error(label: dict[str, object], error: Exception) -> bytes:
    line = json.dumps({**label, "error": describe(error)}, ensure_ascii=False)
    return line.encode("utf-8", "replace") + b"\n"


async def answer_list(context: AppContext, request: Request) -> Response:
    """Extract the pages of a body; each has a record or an error. UsageError for another body."""
    hint = '; send {"pages": [...]}, or lines as application/jsonl'
    batch = await load_json(context, await request.body(), hint)
    if not isinstance(batch, dict) or batch.keys() != {"pages"}:
        raise UsageError('a batch must be {"pages": [...]}; lines are application/jsonl')
    pages = batch["pages"]
    if not isinstance(pages, list):
        raise UsageError("pages must be a list of requests")
    await take_pages(request, len(pages))
    lines = [b""] * len(pages)
    room = anyio.Semaphore(_AT_WORK * context.pool.n_worker)

    async def answer(index: int) -> None:
        try:
            lines[index] = await _answer_line(context, index + 1, _read_later(pages[index]))
        finally:
            room.release()

    async with anyio.create_task_group() as group:
        for index in range(len(pages)):
            await room.acquire()
            group.start_soon(answer, index)
    records = b",".join(line.rstrip() for line in lines)
    return Response(b'{"records": [%b]}' % records, media_type="application/json")


async def _read_later(values: object) -> ApiRequest:
    return read_values(values)
