"""Filters switched on or off for single sites, on top of the settings that hold everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from thresher.errors import UsageError
from thresher.filters.settings import SETTINGS, Filters
from thresher.support.quoting import quote

__all__ = ["SWITCHES", "is_on", "switch_filters"]

_OFF: Final = "off"
_LEVELS: Final = {"link_lists": "auto"}
"""Value of a filter with levels when it is switched on and was off."""
SWITCHES: Final = tuple(each for each in SETTINGS if each.kind == "switch" or each.name in _LEVELS)
"""The settings that can be switched for a site."""
_NAMES: Final = frozenset(each.name for each in SWITCHES)


def is_on(filters: Filters, name: str) -> bool:
    """Return whether a filter is on, at any level."""
    return getattr(filters, name) not in (False, _OFF)


def switch_filters(filters: Filters, switches: Iterable[tuple[str, bool]]) -> Filters:
    """Return filters with some switched on or off; UsageError for an unknown name."""
    changes: dict[str, Any] = {}
    for name, wanted in switches:
        if name not in _NAMES:
            raise UsageError(f"no filter {quote(name)} to switch for a site")
        if wanted != is_on(filters, name):
            level = _LEVELS.get(name)
            changes[name] = wanted if level is None else (level if wanted else _OFF)
    return replace(filters, **changes) if changes else filters  # a copy is checked anew
