"""SelectRequest: the method, its parameters and the site knowledge of an extraction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD, Algorithm, Select, find_algorithm
from thresher.errors import UsageError
from thresher.support.quoting import quote

if TYPE_CHECKING:
    from thresher.sites import Rulebook, Site


@dataclass(frozen=True, slots=True)
class SelectRequest:
    """Settings of selecting a page's main content. The fields are arguments of `extract`."""

    method: str | Select = DEFAULT_METHOD
    params: Mapping[str, object] | Any = None
    scope: str | None = None
    favor: str | float | None = None
    site: Site | None = None
    rules: Rulebook | None = None

    @property
    def method_name(self) -> str:
        """The name of the method, or of the function in its place."""
        return self.method if isinstance(self.method, str) else self.method.__name__

    @property
    def has_site_knowledge(self) -> bool:
        """True if evidence or rules of the site can change what the method selects."""
        return self.site is not None or self.rules is not None

    def without_site(self) -> SelectRequest:
        """Return the request for the method alone."""
        return replace(self, site=None, rules=None)

    def resolve(self) -> tuple[Algorithm, Any]:
        """Return the algorithm and its params; a function is an algorithm of its own.

        Scope and favor override the defaults in params. UsageError for an unknown method or
        parameter, for a method without scope or favor, or if params set them to another value.
        """
        if callable(self.method):
            if self.scope is not None or self.favor is not None:
                raise UsageError("pass scope and favor of a function in its params")
            return Algorithm(self.method, type(self.params), summary="", source=""), self.params
        algorithm = find_algorithm(self.method)
        return algorithm, self._build_params(algorithm)

    def _build_params(self, algorithm: Algorithm) -> Any:
        params = algorithm.params() if self.params is None else self.params
        is_built = isinstance(params, algorithm.params)
        built: Any = params if is_built else algorithm.build_params(params)
        pairs = (("scope", self.scope), ("favor", self.favor))
        asked = {name: value for name, value in pairs if value is not None}
        if not asked:
            return built
        for name in asked:
            if not _takes(algorithm, name):
                takers = [method for method, it in ALGORITHMS.items() if _takes(it, name)]
                raise UsageError(
                    f"{self.method} has no {name}; {', '.join(takers) or 'no method'} has"
                )
        wanted = algorithm.build_params(asked)
        for name in asked:
            new, old = getattr(wanted, name), getattr(built, name)
            # In params that are already built, defaults cannot be distinguished from set values.
            is_set = old != getattr(algorithm.params(), name) if is_built else name in params
            if is_set and new != old:
                raise UsageError(f"{name} is given twice: {quote(new)}, and {quote(old)} in params")
        changes: dict[str, Any] = {name: getattr(wanted, name) for name in asked}
        return replace(built, **changes)


def _takes(algorithm: Algorithm, name: str) -> bool:
    return any(name == parameter.name for parameter in algorithm.parameters())
