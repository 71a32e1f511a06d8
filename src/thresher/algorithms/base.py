"""The algorithm interface: a function from page and parameters to a selection, described."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from thresher.errors import UsageError
from thresher.support.cached import cached_property
from thresher.support.quoting import quote
from thresher.support.settings import Setting, describe

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from thresher.page import Page
    from thresher.selection import Selection

FavorName: TypeAlias = Literal["balanced", "precision", "recall"]
FAVORS: Final[dict[FavorName, float]] = {"balanced": 1.0, "precision": 0.5, "recall": 2.0}
"""Words for what matters more → the β of the F-measure; 0.5 and 2 are the usual two (van
Rijsbergen 1979)."""

Select: TypeAlias = "Callable[[Page, Any], Selection]"
"""``select(page, params) -> Selection``; params is an instance of the algorithm's dataclass."""
SelectWithRepeats: TypeAlias = "Callable[[Page, Any, npt.NDArray[np.float64]], Selection]"
"""The same with, for each block, the share of other pages of the site that repeat its text."""


@dataclass(frozen=True)
class Algorithm:
    """A selection function and its description for users."""

    select: Select
    params: type
    """Frozen dataclass whose fields are declared with `setting`."""
    summary: str
    """Summary in one line."""
    source: str
    """The publication it reproduces."""
    select_with_repeats: SelectWithRepeats | None = None
    """Variant that uses the text a site repeats as evidence; None where repeated blocks are removed
    from the result instead."""

    def parameters(self) -> tuple[Setting, ...]:
        """Return the declarations of the parameters, in order."""
        return describe(self.params)

    def build_params(self, values: Mapping[str, object] | None = None) -> Any:
        """Create the params from values or their text forms; UsageError for an invalid one."""
        if not isinstance(values, (Mapping, NoneType)):
            wanted = "a mapping of names to values, or the method's own"
            raise UsageError(f"params must be {wanted}, not {type(values).__name__}")
        parameters = {parameter.name: parameter for parameter in self.parameters()}
        built = {}
        for name, value in (values or {}).items():
            if name not in parameters:
                raise UsageError(
                    f"no parameter {quote(name)}; one of {', '.join(parameters) or 'none'}"
                )
            built[name] = parameters[name].convert(value)
        return self.params(**built)


class LazyAlgorithm(Algorithm):
    """An algorithm whose module is imported on first use, as most callers use only one.

    The module lies in `thresher.algorithms` and defines `select` and `Params`.
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
        """The selection function."""
        select: Select = self._load().select
        return select

    @cached_property
    def params(self) -> type:
        """The class of the parameters."""
        params: type = self._load().Params
        return params

    @property
    def select_with_repeats(self) -> SelectWithRepeats | None:
        """The selection function, if it accepts the text that other pages of the site repeat."""
        return self._load().select if self._knows_sites else None

    def _load(self) -> Any:
        return import_module(f"thresher.algorithms.{self._module}")
