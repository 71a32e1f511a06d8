"""Roles of blocks, such as title or caption, and the roles that belong to each scope.

Roles are independent of whether a block is kept; docs/role-labels.md defines them for labelling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, get_args

from thresher.errors import UsageError
from thresher.support.quoting import quote

ROLES: Final = tuple(
    "title byline date body caption table code related comment navigation legal"
    " advertisement other".split()
)
"""Role names in the order of the network's outputs; a role's code is its index."""
NO_ROLE: Final = -1
"""Code of a block whose role is unknown."""
ScopeName: TypeAlias = Literal["auto", "article", "thread", "page"]
SCOPES: Final[tuple[ScopeName, ...]] = get_args(ScopeName)
"""Kinds of content that a reader can look for, in the order of the network's inputs."""

_ARTICLE: Final = frozenset(("title", "byline", "date", "body", "caption", "table", "code"))
SCOPE_ROLES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "article": _ARTICLE,
        "thread": _ARTICLE | {"comment"},
        "page": _ARTICLE | {"comment"},
        "auto": frozenset(ROLES),
    }
)
"""The roles that belong to each scope. Blocks that certainly have a role of other scopes only are
left out; roles of no scope, such as navigation, are decided by the content network."""


def read_roles(names: str | Sequence[str]) -> tuple[str, ...]:
    """Parse role names, a sequence or separated by commas; UsageError for unknown ones."""
    parts = names.split(",") if isinstance(names, str) else names
    asked = tuple(dict.fromkeys(name.strip() for name in parts if name.strip()))
    for name in asked:
        if name not in ROLES:
            raise UsageError(f"unknown role {quote(name)}; one of {', '.join(ROLES)}")
    return asked
