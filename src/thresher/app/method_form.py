"""Method and parameters in query strings and forms.

``method`` names the method, ``scope`` and ``favor`` are as in `thresher.extract`; any other
parameter is ``METHOD.NAME``, so that a form may send those of another method too. ``param.NAME``,
as sent by the reading page, is accepted as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from thresher.algorithms import DEFAULT_METHOD, find_algorithm
from thresher.algorithms.base import FAVORS
from thresher.errors import UsageError
from thresher.request import SelectRequest
from thresher.roles import SCOPES

_SHORT: Final[Mapping[str, tuple[str, ...]]] = {"scope": SCOPES, "favor": tuple(FAVORS)}
"""Parameters without a prefix, and their choices in a form."""
_NOT_OFFERED: Final = frozenset(("model",))
"""Parameters with a file name: only the operator of the server sets them."""
_ANY: Final = "param."
_MAX_VALUE_CHARS: Final = 2_000
_NOTHING: Final = "(none)"
"""How `Setting.display` shows an empty value."""


@dataclass(frozen=True, slots=True)
class MethodQuery:
    """Method, and its parameters that differ from their defaults, as text."""

    method: str = DEFAULT_METHOD
    values: tuple[tuple[str, str], ...] = ()

    def select_request(self, model: str | None = None) -> SelectRequest:
        """Return the request for the engine; ``model`` is the file of weights, if one is set.

        Raises UsageError for an invalid parameter value.
        """
        algorithm = find_algorithm(self.method)
        values: dict[str, object] = {name: _decode_value(value) for name, value in self.values}
        if model is not None and any(each.name == "model" for each in algorithm.parameters()):
            values["model"] = model
        algorithm.build_params(values)
        return SelectRequest(self.method, values)

    @property
    def query(self) -> str:
        """The choice as a query string."""
        pairs = [(_key_of(self.method, name), value) for name, value in self.values]
        return urlencode([("method", self.method), *pairs])


@dataclass(frozen=True, slots=True)
class ParameterField:
    """Form field of one parameter."""

    key: str
    name: str
    help: str
    value: str
    is_default: bool
    is_short: bool
    """Whether it is one of the few parameters without a prefix."""
    choices: tuple[str, ...] = ()
    """Options of a select; empty for a text field."""
    is_number: bool = False


def read_method_query(query: Mapping[str, str], default: MethodQuery | None = None) -> MethodQuery:
    """Parse a method query; missing parameters are from the default, if the method is the same.

    Raises UsageError for an unknown method or an invalid parameter value.
    """
    default = default or MethodQuery()
    method = query.get("method") or default.method
    algorithm = find_algorithm(method)
    known = dict(default.values) if method == default.method else {}
    for parameter in algorithm.parameters():
        key = _key_of(method, parameter.name)
        value = (query.get(key) or query.get(f"{_ANY}{parameter.name}") or "").strip()
        if not value or parameter.name in _NOT_OFFERED:
            continue
        if len(value) > _MAX_VALUE_CHARS:
            raise UsageError(f"{parameter.name} is longer than {_MAX_VALUE_CHARS} characters")
        known[parameter.name] = value
        if value == parameter.display(parameter.default):
            del known[parameter.name]
    chosen = MethodQuery(method, tuple(sorted(known.items())))
    chosen.select_request()
    return chosen


def fields_of(chosen: MethodQuery) -> tuple[ParameterField, ...]:
    """Return the form fields of a method's parameters, with the current values."""
    return tuple(_fields(chosen))


def _fields(chosen: MethodQuery) -> Iterator[ParameterField]:
    values = dict(chosen.values)
    for parameter in find_algorithm(chosen.method).parameters():
        if parameter.name in _NOT_OFFERED:
            continue
        default = parameter.display(parameter.default)
        field = ParameterField(
            _key_of(chosen.method, parameter.name),
            parameter.name,
            parameter.help,
            values.get(parameter.name, default),
            parameter.name not in values,
            parameter.name in _SHORT,
        )
        if parameter.name in _SHORT:
            offered = _SHORT[parameter.name]
            yield replace(field, choices=tuple(dict.fromkeys((*offered, field.value))))
        elif parameter.kind == "switch":
            yield replace(field, choices=("yes", "no"))
        elif parameter.kind == "choice":
            yield replace(field, choices=parameter.choices)
        else:
            is_number = parameter.kind in ("integer", "number") and not parameter.is_optional
            yield replace(field, is_number=is_number)


def _key_of(method: str, name: str) -> str:
    return name if name in _SHORT else f"{method}.{name}"


def _decode_value(value: str) -> str:
    """Return a value in the format of `Algorithm.build_params`; "(none)" is an empty list."""
    return "," if value == _NOTHING else value
