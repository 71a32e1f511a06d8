"""Roles: what a block of a page is, whether or not it is kept, and which of them a scope wants.

docs/role-labels.md says how each is told by people who label pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from thresher.errors import UsageError

__all__ = ["NO_ROLE", "ROLES", "SCOPE_ROLES", "read_roles"]

ROLES: Final = (
    *("title", "byline", "date", "body", "caption", "table", "code"),
    *("related", "comment", "navigation", "legal", "advertisement", "other"),
)
"""In the order of the network's outputs; a role's code is its place."""
NO_ROLE: Final = -1
"""The code of a block of which no method has said what it is."""

_ARTICLE: Final = frozenset(("title", "byline", "date", "body", "caption", "table", "code"))
SCOPE_ROLES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "article": _ARTICLE,
        "thread": _ARTICLE | {"comment"},
        "page": _ARTICLE | {"comment"},
        "auto": frozenset(ROLES),
    }
)
"""The roles that a reader with a scope is after. What is surely of one that only others are after
is left out; roles that nobody is after, such as navigation, are left to the content network."""


def read_roles(names: str | Sequence[str]) -> tuple[str, ...]:
    """Read names of roles, as a sequence or with commas between them; UsageError for others."""
    parts = names.split(",") if isinstance(names, str) else names
    asked = tuple(dict.fromkeys(name.strip() for name in parts if name.strip()))
    for name in asked:
        if name not in ROLES:
            raise UsageError(f"unknown role {name!r}; one of {', '.join(ROLES)}")
    return asked
