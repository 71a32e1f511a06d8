"""The data model of labelling: pages, labels with the roles of blocks, and a labeller's progress.

Roles are text in forms, and lists of blocks in exports. A block may have none: then its code is
`NO_ROLE`. docs/role-labels.md defines the roles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.page.rows import BoolArray
from thresher.roles import NO_ROLE, ROLES
from thresher.support.quoting import quote

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
    by_role = {name: (roles == code).nonzero()[0].tolist() for code, name in enumerate(ROLES)}
    return {name: blocks for name, blocks in by_role.items() if blocks}


def is_equal(a: npt.NDArray[Any] | None, b: npt.NDArray[Any] | None) -> bool:
    """Return whether two labels have the same roles, or the same mask."""
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


@dataclass(frozen=True, slots=True)
class NewPage:
    """A page to label."""

    name: str
    html: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page of the store."""

    id: int
    name: str
    html: str
    url: str | None


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page as lists name it."""

    name: str
    url: str | None
    title: str = ""
    """Empty if the page has none, or has not been read."""

    @property
    def shown(self) -> str:
        """The title, or else the address or the name, by which a person recognises it."""
        return self.title or self.url or self.name


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """The label of one page by one labeller."""

    page: int
    labeller: str
    keep: BoolArray | None
    """The blocks that are content, bool[n_block]; None if the page was skipped."""
    text: str | None
    """Their text, which stays valid if another version splits blocks differently."""
    seconds: float = 0.0
    """Time taken."""
    page_type: str | None = None
    made_at: float = 0.0
    """Seconds since 1970."""
    id: int = 0
    """Number of the label in the store, its version; 0 if it is not stored."""
    roles: RoleCodes | None = None
    """Code of each block's role, int8[n_block]; None if no block was given one."""
    note: str = ""
    """What the labeller says of it, such as why the page was skipped."""

    def is_same(self, other: Label | None) -> bool:
        """Return whether two labels say the same of the same page."""
        if other is None or (self.page, self.labeller) != (other.page, other.labeller):
            return False
        if (self.page_type, self.note) != (other.page_type, other.note):
            return False
        return is_equal(self.roles, other.roles) and is_equal(self.keep, other.keep)


@dataclass(frozen=True, slots=True, eq=False)
class LabelDecision:
    """The label that counts for a page that two people labelled differently."""

    page: int
    decider: str
    """Name of the person who decided."""
    versions: tuple[int, int]
    """Numbers of the two labels."""
    keep: BoolArray
    """The blocks that are content, bool[n_block]."""
    text: str
    page_type: str | None = None
    made_at: float = 0.0
    """Seconds since 1970."""
    labellers: tuple[str, str] = ("", "")
    """Names of the people who made the two labels."""
    id: int = 0
    """Number of the decision in the store; 0 if it is not stored."""
    roles: RoleCodes | None = None
    """Code of each block's role, int8[n_block]; None if no block was given one."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Progress of a labeller in their queue."""

    n_page: int
    n_labelled: int
    n_passed: int
    """Skipped pages."""
    pages_per_hour: float | None
    """Rate of the latest labels; None before the first."""
