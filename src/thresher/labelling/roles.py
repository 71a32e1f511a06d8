"""The roles that a labeller gives to blocks, as text in forms, and as lists of blocks in exports.

A block may have none: then its code is `NO_ROLE`. docs/role-labels.md defines the roles.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.roles import NO_ROLE, ROLES
from thresher.support.quoting import quote

__all__ = [
    "RoleCodes",
    "blocks_by_role",
    "find_role_conflicts",
    "format_given_roles",
    "merge_roles",
    "parse_given_roles",
    "same_roles",
]

RoleCodes = npt.NDArray[np.int8]


def parse_given_roles(text: str, n_block: int) -> RoleCodes | None:
    """Parse ``"0 title,3 body"``; None if no block has a role. UsageError if it is malformed."""
    roles = np.full(n_block, NO_ROLE, np.int8)
    for part in filter(None, text.split(",")):
        number, _, name = part.partition(" ")
        if not (number.isdecimal() and len(number) < 9 and int(number) < n_block):
            raise UsageError("there is no such block; reload the page")
        if name not in ROLES:
            raise UsageError(f"unknown role {quote(name)}; one of {', '.join(ROLES)}")
        roles[int(number)] = ROLES.index(name)
    return roles if (roles != NO_ROLE).any() else None


def format_given_roles(roles: RoleCodes | None) -> str:
    """Format roles as `parse_given_roles` reads them."""
    if roles is None:
        return ""
    return ",".join(f"{block} {ROLES[roles[block]]}" for block in (roles != NO_ROLE).nonzero()[0])


def blocks_by_role(roles: RoleCodes | None) -> dict[str, list[int]]:
    """Return the blocks of each role that was given, in the order of `ROLES`."""
    if roles is None:
        return {}
    found = {name: (roles == code).nonzero()[0].tolist() for code, name in enumerate(ROLES)}
    return {name: blocks for name, blocks in found.items() if blocks}


def same_roles(a: RoleCodes | None, b: RoleCodes | None) -> bool:
    """Return whether two labels give the same roles."""
    if a is None or b is None:
        return a is b
    return bool(np.array_equal(a, b))


def find_role_conflicts(a: RoleCodes | None, b: RoleCodes | None) -> npt.NDArray[np.intp]:
    """Return the blocks to which two labels of the same blocks give different roles."""
    if a is None or b is None or a.size != b.size:
        return np.zeros(0, np.intp)
    differs: npt.NDArray[np.bool_] = (a != b) & (a != NO_ROLE) & (b != NO_ROLE)
    return differs.nonzero()[0]


def merge_roles(a: RoleCodes | None, b: RoleCodes | None) -> RoleCodes | None:
    """Return the roles that either of two labels of the same blocks gives; the first decides."""
    if a is None or b is None:
        return b if a is None else a
    return np.where(a == NO_ROLE, b, a).astype(np.int8)
