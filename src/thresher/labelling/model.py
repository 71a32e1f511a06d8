"""The data model of labelling: pages, labels, and a labeller's progress."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.labelling.roles import RoleCodes, same_roles
from thresher.page.rows import BoolArray

__all__ = ["Label", "LabelDecision", "ListedPage", "NewPage", "Pace", "StoredPage"]


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

    def is_same(self, other: Label | None) -> bool:
        """Return whether two labels say the same of the same page."""
        if other is None or (self.page, self.labeller) != (other.page, other.labeller):
            return False
        if self.page_type != other.page_type or not same_roles(self.roles, other.roles):
            return False
        if self.keep is None or other.keep is None:
            return self.keep is other.keep
        return bool(np.array_equal(self.keep, other.keep))


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
    """Progress of a labeller."""

    n_page: int
    n_labelled: int
    n_passed: int
    """Skipped pages."""
    pages_per_hour: float | None
    """Rate of the latest labels; None before the first."""
