"""How the content of a page is found, as a query string says it and as a form offers it.

``method`` names the method, ``scope`` and ``favor`` are what they are in `thresher.extract`; any
other parameter is ``METHOD.NAME``, so that a form may send those of another method too. The reading
page's ``param.NAME`` is read as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.algorithms.learned import FAVORS, SCOPES
from thresher.app.engine import Choice
from thresher.errors import UsageError

__all__ = ["Field", "MethodQuery", "fields_of", "read_method_query"]

_SHORT: Final[Mapping[str, tuple[str, ...]]] = {"scope": SCOPES, "favor": tuple(FAVORS)}
"""Parameters that go by their names alone, and what a form offers for them."""
_NOT_ASKED: Final = frozenset(("model",))
"""Parameters that name a file: only who started the server chooses one."""
_ANY: Final = "param."
_MAX_VALUE_CHARS: Final = 2_000
_NOTHING: Final = "(none)"
"""How `Setting.display` shows an empty value."""


@dataclass(frozen=True, slots=True)
class MethodQuery:
    """A method, and those of its parameters that are not at their defaults, as they are spelled."""

    method: str = DEFAULT_METHOD
    values: tuple[tuple[str, str], ...] = ()

    def choice(self, model: str | None = None) -> Choice:
        """Say it to the engine; ``model`` is the file of weights, where one was chosen.

        Raises UsageError for a value that its parameter cannot have.
        """
        algorithm = ALGORITHMS[self.method]
        values: dict[str, object] = {name: _decode_value(value) for name, value in self.values}
        if model is not None and any(each.name == "model" for each in algorithm.parameters()):
            values["model"] = model
        algorithm.build_params(values)
        return Choice(self.method, params=values)

    @property
    def query(self) -> str:
        """The choice as a query string."""
        pairs = [(_key_of(self.method, name), value) for name, value in self.values]
        return urlencode([("method", self.method), *pairs])


@dataclass(frozen=True, slots=True)
class Field:
    """One parameter as a field of a form."""

    key: str
    name: str
    help: str
    value: str
    is_default: bool
    is_short: bool
    """Whether it is one of the few that readers are asked for first."""
    choices: tuple[str, ...] = ()
    """What can be chosen; empty where it is written."""
    is_number: bool = False


def read_method_query(query: Mapping[str, str], default: MethodQuery | None = None) -> MethodQuery:
    """Read a choice; what the query does not say is of the default, if the method is the same.

    Raises UsageError for an unknown method, and for a value that its parameter cannot have.
    """
    default = default or MethodQuery()
    method = query.get("method") or default.method
    if method not in ALGORITHMS:
        raise UsageError(f"unknown method {method!r}; one of {', '.join(ALGORITHMS)}")
    known = dict(default.values) if method == default.method else {}
    for parameter in ALGORITHMS[method].parameters():
        key = _key_of(method, parameter.name)
        value = (query.get(key) or query.get(f"{_ANY}{parameter.name}") or "").strip()
        if not value or parameter.name in _NOT_ASKED:
            continue
        if len(value) > _MAX_VALUE_CHARS:
            raise UsageError(f"{parameter.name} has at most {_MAX_VALUE_CHARS} characters here")
        known[parameter.name] = value
        if value == parameter.display(parameter.default):
            del known[parameter.name]
    chosen = MethodQuery(method, tuple(sorted(known.items())))
    chosen.choice()
    return chosen


def fields_of(chosen: MethodQuery) -> tuple[Field, ...]:
    """Return the fields of a form for the parameters of a method, with the values chosen."""
    return tuple(_fields(chosen))


def _fields(chosen: MethodQuery) -> Iterator[Field]:
    values = dict(chosen.values)
    for parameter in ALGORITHMS[chosen.method].parameters():
        if parameter.name in _NOT_ASKED:
            continue
        default = parameter.display(parameter.default)
        field = Field(
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
    """Return a value as `Algorithm.build_params` reads it: nothing is a list without entries."""
    return "," if value == _NOTHING else value
