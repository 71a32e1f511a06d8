"""What an algorithm is: a function from page and parameters to a selection, and its description."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.page import Page
from thresher.selection import Selection
from thresher.support.cached import cached_property

__all__ = ["Algorithm", "LateAlgorithm", "Parameter", "Select", "SelectKnowing", "param"]

Select = Callable[[Page, Any], Selection]
"""``select(page, params) -> Selection``; params is an instance of the algorithm's dataclass."""
SelectKnowing = Callable[[Page, Any, npt.NDArray[np.float64]], Selection]
"""The same with the share of other pages of the site that have each block's text in its place."""

_TRUE: Final = {"1", "true", "yes", "on"}
_FALSE: Final = {"0", "false", "no", "off"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an algorithm, as `thresher methods` shows it."""

    name: str
    kind: Any
    default: Any
    help: str
    low: float | None
    high: float | None

    def spell(self, value: object) -> str:
        """Spell a value of it as the command takes it."""
        match value:
            case None:
                return "auto"
            case bool():
                return "yes" if value else "no"
            case tuple():
                return ",".join(map(str, value)) or "(none)"
            case _:
                return str(value) or "(none)"


def param(default: Any, help: str, *, low: float | None = None, high: float | None = None) -> Any:
    """Declare a dataclass field that is a parameter, with its range; help names unit and source."""
    return dataclasses.field(default=default, metadata={"help": help, "low": low, "high": high})


@dataclass(frozen=True)
class Algorithm:
    """A selector with what a user needs to know of it."""

    select: Select
    params: type
    """Frozen dataclass whose fields are declared with `param`."""
    summary: str
    """The idea in one line."""
    source: str
    """The document it reproduces."""
    select_knowing: SelectKnowing | None = None
    """How it weighs what the page's site repeats; None where that is dropped of what it keeps."""

    def parameters(self) -> tuple[Parameter, ...]:
        """Describe the parameters, in order."""
        kinds = typing.get_type_hints(self.params)
        return tuple(
            Parameter(field.name, kinds[field.name], field.default, **field.metadata)
            for field in dataclasses.fields(self.params)
        )

    def build_params(self, values: Mapping[str, object] | None = None) -> Any:
        """Make the params from values or their spellings; UsageError names what is wrong."""
        known = {parameter.name: parameter for parameter in self.parameters()}
        built = {}
        for name, value in (values or {}).items():
            if name not in known:
                raise UsageError(f"no parameter {name!r}; one of {', '.join(known) or 'none'}")
            built[name] = _read_value(known[name], value)
        return self.params(**built)


class LateAlgorithm(Algorithm):
    """An algorithm whose module is imported when it is first used: most callers use one of all.

    The module is one of `thresher.algorithms`, and has `select` and `Params`.
    """

    _module: str
    _knows_sites: bool

    def __init__(
        self, module: str, summary: str, source: str, *, knows_sites: bool = False
    ) -> None:
        self.__dict__.update(
            summary=summary, source=source, _module=module, _knows_sites=knows_sites
        )

    @cached_property
    def select(self) -> Select:
        """The function."""
        select: Select = self._load().select
        return select

    @cached_property
    def params(self) -> type:
        """The class of its parameters."""
        params: type = self._load().Params
        return params

    @property
    def select_knowing(self) -> SelectKnowing | None:
        """The function again, where it takes what other pages of the site repeat."""
        return self._load().select if self._knows_sites else None

    def _load(self) -> Any:
        return import_module(f"thresher.algorithms.{self._module}")


def _read_value(parameter: Parameter, value: object) -> object:
    """Turn a value, or its spelling on a command line, into the parameter's kind, within range."""
    kinds = [parameter.kind]
    if isinstance(parameter.kind, types.UnionType):
        kinds = [kind for kind in typing.get_args(parameter.kind) if kind is not types.NoneType]
        if value is None or value == "auto":
            return None
    kind = kinds[0]
    read: Any
    try:
        if kind is bool:
            read = _read_bool(value)
        elif typing.get_origin(kind) is tuple:
            parts = value.split(",") if isinstance(value, str) else value
            read = tuple(str(part).strip() for part in typing.cast(Any, parts) if str(part).strip())
        else:
            read = kind(value)
    except (TypeError, ValueError) as error:
        name = getattr(kind, "__name__", str(kind))
        raise UsageError(f"{parameter.name} must be {name}, not {value!r}") from error
    too_low = parameter.low is not None and not read >= parameter.low
    too_high = parameter.high is not None and not read <= parameter.high
    if too_low or too_high:
        low = "-inf" if parameter.low is None else parameter.low
        high = "inf" if parameter.high is None else parameter.high
        raise UsageError(f"{parameter.name} must be within {low} and {high}, not {read}")
    return read


def _read_bool(value: object) -> bool:
    spelled = str(value).lower()
    if spelled in _TRUE:
        return True
    if spelled in _FALSE:
        return False
    raise ValueError(value)
