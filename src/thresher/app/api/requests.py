"""Requests of the API: a page or its address, and options; the one table of their fields."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

import anyio
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.app.context import AppContext
from thresher.app.engine import PageSource, Task
from thresher.app.settings import Allowance
from thresher.document import WriteOptions
from thresher.errors import UsageError
from thresher.limits import Limits
from thresher.request import SelectRequest
from thresher.roles import SCOPES
from thresher.support.settings import Setting, describe, setting
from thresher.writers import FORMATS
from thresher.writers.formats import FormatName

_MAX_SHOWN_CHARS: Final = 60
"""Characters of a stranger's value that an error message repeats."""


@dataclass(frozen=True, slots=True)
class JsonField:
    """A field that takes several JSON types, or an object.

    These are no settings: a setting has one kind, which a file, an option and a form can hold too.
    """

    name: str
    types: tuple[str, ...]
    """Names of JSON Schema."""
    help: str
    default: object = None

    def read(self, value: object) -> Any:
        """Return a value of JSON or the text of a query; UsageError if it is of another type."""
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        fits = {
            "string": isinstance(value, str),
            "integer": is_number and isinstance(value, int),
            "number": is_number,
            "object": isinstance(value, dict),
        }
        if not any(fits[type_name] for type_name in self.types):
            raise UsageError(f"{self.name} must be of type {' or '.join(self.types)}")
        return value


@dataclass(frozen=True, slots=True)
class _RequestFields:
    """Fields of a request that are neither write options nor limits."""

    html: str = setting("", "the page itself; nothing is fetched then")
    url: str = setting("", "address of the page; together with html, the base of its links")
    http_charset: str = setting("", "charset that the page's server declared")
    method: str = setting(
        DEFAULT_METHOD, "how the content is found: see /api/methods", choices=tuple(ALGORITHMS)
    )
    scope: str = setting("auto", "what the reader is looking for", choices=SCOPES)
    formats: tuple[str, ...] = setting(
        ("markdown",), "formats in which the content is returned", choices=tuple(FORMATS)
    )
    rules: bool = setting(True, "apply the rules of this server's user")


_NOT_OFFERED: Final = frozenset(("keep",))
"""Write options that no request can give so far."""


def _list_fields() -> dict[str, Setting | JsonField]:
    own = {field.name: field for field in describe(_RequestFields)}
    label = JsonField("id", ("string", "integer"), "your identifier, returned in the record")
    params = JsonField(
        "params", ("object",), "parameters of the method, by name: see /api/methods", {}
    )
    favor = JsonField(
        "favor",
        ("string", "number"),
        "what to prefer: precision, balanced or recall; or the beta of the F-measure, below 1 for"
        " precision",
        "balanced",
    )
    write_options = {e.name: e for e in describe(WriteOptions) if e.name not in _NOT_OFFERED}
    fields: dict[str, Setting | JsonField] = {
        **{"id": label, **own, "params": params, "favor": favor},
        **write_options,
        **{field.name: _bound_by_server(field) for field in describe(Limits)},
    }
    # In JSON null stands for a field that is not given, so no field has it as a value.
    return {
        name: replace(field, is_optional=False) if isinstance(field, Setting) else field
        for name, field in fields.items()
    }


def _bound_by_server(limit: Setting) -> Setting:
    """Return a limit as a request sees it: a number can only be smaller than the server's."""
    if limit.kind == "choice":
        return limit
    return replace(limit, help=f"{limit.help}; at most the server's own limit", default=None)


OPTIONS: Final[Mapping[str, Setting | JsonField]] = _list_fields()
"""Every field of a request by name, in the order of the documentation."""


def read_options(values: Mapping[str, object]) -> dict[str, Any]:
    """Check the fields of a request, of which null ones count as missing.

    Raises UsageError for an unknown field or an invalid value.
    """
    for name in values:
        if name not in OPTIONS:
            raise UsageError(f"unknown: {_shorten(name)}; there are {', '.join(OPTIONS)}")
    return {
        name: _read(OPTIONS[name], value) for name, value in values.items() if value is not None
    }


def _read(field: Setting | JsonField, value: object) -> Any:
    """Read a value of JSON, or the text that stands for it in a query."""
    if isinstance(field, JsonField):
        return field.read(value)
    is_text = isinstance(value, str) and bool(value) and field.kind not in ("text", "choice")
    return field.parse(str(value)) if is_text else field.check(value)


def _shorten(name: str) -> str:
    shown = repr(name)
    return shown if len(shown) <= _MAX_SHOWN_CHARS else f"{shown[: _MAX_SHOWN_CHARS - 3]}..."


_HTML: Final = frozenset(("text/html", "application/xhtml+xml", "text/plain"))
_LARGE_BYTES: Final = 2**18
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
    return read_values(await load_json(context, body))


async def load_json(context: AppContext, body: bytes, hint: str = "") -> object:
    """Parse JSON, in a worker if there is much; UsageError, with a hint, if it is invalid."""
    if len(body) <= _LARGE_BYTES:
        return _load(body, hint)
    # Parsing JSON holds the interpreter, and would block the event loop.
    loaded: object = await context.wait_and_work(_load, body, hint)
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
    chosen = {
        name: values[name] for name in ("method", "scope", "favor", "params") if name in values
    }
    wanted = SelectRequest(**chosen)
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


def _load(body: bytes, hint: str) -> object:
    """Parse JSON; may run in a worker."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"invalid JSON: {error}{hint}") from None


def _media_type(headers: Headers) -> tuple[str, str]:
    kind, _, rest = headers.get("content-type", "").partition(";")
    return kind.strip().lower(), rest
