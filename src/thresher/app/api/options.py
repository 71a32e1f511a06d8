"""Fields of a request to the API: the one table for reading and for describing them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.document import WriteOptions
from thresher.errors import UsageError
from thresher.limits import Limits
from thresher.roles import SCOPES
from thresher.support.settings import Setting, describe, setting
from thresher.writers import FORMATS

__all__ = ["OPTIONS", "JsonField", "read_options"]

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
        if not any(fits[each] for each in self.types):
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
    own = {each.name: each for each in describe(_RequestFields)}
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
        **{each.name: _bound_by_server(each) for each in describe(Limits)},
    }
    # In JSON null stands for a field that is not given, so no field has it as a value.
    return {
        name: replace(each, is_optional=False) if isinstance(each, Setting) else each
        for name, each in fields.items()
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
