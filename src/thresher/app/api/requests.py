"""Parsing of API requests: a page or its address, and options."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

import anyio
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request

from thresher.app.api.options import read_options
from thresher.app.api_keys import Allowance
from thresher.app.context import AppContext
from thresher.app.engine import Task
from thresher.app.opened_pages import PageSource
from thresher.document import WriteOptions
from thresher.errors import UsageError
from thresher.limits import Limits
from thresher.request import SelectRequest
from thresher.writers.formats import FormatName

__all__ = [
    "LARGE_BYTES",
    "ApiRequest",
    "is_json",
    "load_json",
    "parse",
    "read_body",
    "read_values",
    "take_pages",
    "task_of",
]

_HTML: Final = frozenset(("text/html", "application/xhtml+xml", "text/plain"))
LARGE_BYTES: Final = 2**18
"""Bytes of JSON that take a millisecond to parse; more are parsed in a worker."""
_WRITE_OPTIONS: Final = frozenset(field.name for field in fields(WriteOptions))


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """Parsed request; its page may still have to be fetched."""

    html: str | bytes | None
    values: Mapping[str, Any]
    """Its other fields of `OPTIONS`."""

    @property
    def label(self) -> dict[str, Any]:
        """First fields of the record: the id, if there is one."""
        return {"id": self.values["id"]} if "id" in self.values else {}

    @property
    def formats(self) -> tuple[FormatName, ...]:
        """Output formats."""
        return tuple(self.values.get("formats", ("markdown",)))

    @property
    def options(self) -> WriteOptions:
        """Options of the writers."""
        chosen = {name: value for name, value in self.values.items() if name in _WRITE_OPTIONS}
        return WriteOptions(**chosen)


async def read_body(
    context: AppContext, body: bytes, headers: Headers, query: Mapping[str, str]
) -> ApiRequest:
    """Parse a body: JSON, or HTML with the options in the query.

    Raises UsageError for invalid fields, HTTPException for another media type.
    """
    kind, rest = _media_type(headers)
    if kind in _HTML:
        values = read_options(query)
        charset = rest.partition("charset=")[2].strip().strip('"')
        if charset:
            values.setdefault("http_charset", charset)
        return ApiRequest(body, values)
    if not is_json(headers):
        raise HTTPException(415, "send application/json, or the page itself as text/html")
    if query:
        raise UsageError("with JSON, put all options in the body, not in the query")
    return await parse(context, body)


async def parse(context: AppContext, body: bytes) -> ApiRequest:
    """Parse a request in JSON; raise UsageError if it is invalid."""
    return read_values(await load_json(context, body))


async def load_json(context: AppContext, body: bytes) -> object:
    """Parse JSON, in a worker if there is much; raise UsageError if it is invalid."""
    if len(body) <= LARGE_BYTES:
        return _load(body)
    # Parsing JSON holds the interpreter, and would block the event loop.
    loaded: object = await context.wait_and_work(_load, body)
    return loaded


def is_json(headers: Headers) -> bool:
    """Return whether a body is declared as one value of JSON."""
    kind, _ = _media_type(headers)
    return kind == "application/json" or kind.endswith("+json")


def read_values(values: object) -> ApiRequest:
    """Check the values of a request; raise UsageError if they are invalid."""
    if not isinstance(values, dict):
        raise UsageError("a request must be a JSON object")
    read = read_options(values)
    html = read.pop("html", None)
    if html is None and not read.get("url"):
        raise UsageError("html or url is required")
    return ApiRequest(html, read)


async def task_of(context: AppContext, parsed: ApiRequest) -> Task:
    """Build the task of a request, fetching its page first if needed."""
    values = parsed.values
    if parsed.html is None:
        source = await context.fetch(values["url"])
    else:
        source = PageSource(parsed.html, values.get("url"), values.get("http_charset"))
    most = context.settings.limits
    assert most.deadline_s is not None
    limits = Limits(
        min(values.get("max_bytes", most.max_bytes), most.max_bytes),
        min(values.get("max_nodes", most.max_nodes), most.max_nodes),
        min(values.get("deadline_s", most.deadline_s), most.deadline_s),
        values.get("on_limit", most.on_limit),
    )
    known = {
        name: values[name] for name in ("method", "scope", "favor", "params") if name in values
    }
    wanted = SelectRequest(**known)
    if "model" in (wanted.params or {}):
        raise UsageError("the model is set by the server, not by requests")
    task = replace(context.task(source, wanted), limits=limits)
    if not values.get("rules", True):
        task = replace(task, request=replace(task.request, rules=None))
    return task


async def take_pages(request: Request, n_page: int = 1, *, waits: bool = False) -> None:
    """Take pages from the allowance of a request's key, if it has one; may wait for it first."""
    allowance: Allowance | None = getattr(request.state, "allowance", None)
    if allowance is None:
        return
    if waits:
        await anyio.sleep(allowance.wait_s())
    allowance.take(n_page)


def _load(body: bytes) -> object:
    """Parse JSON."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"invalid JSON: {error}") from None


def _media_type(headers: Headers) -> tuple[str, str]:
    """Return the media type of a body and its parameters."""
    kind, _, rest = headers.get("content-type", "").partition(";")
    return kind.strip().lower(), rest
