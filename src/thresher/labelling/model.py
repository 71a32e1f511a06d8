"""What is labelled, what was said of it, and how far a labeller is."""

from __future__ import annotations

from dataclasses import dataclass

from thresher.page.rows import BoolArray

__all__ = ["Label", "NewPage", "Pace", "StoredPage"]


@dataclass(frozen=True, slots=True)
class NewPage:
    """A page to be labelled."""

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


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """What one labeller said of one page."""

    page: int
    labeller: str
    keep: BoolArray | None
    """The blocks that are content; bool[n_block]; None where the page was passed over."""
    text: str | None
    """Their text, which holds though blocks may be cut otherwise by another version."""
    seconds: float = 0.0
    """How long it took."""
    page_type: str | None = None
    made_at: float = 0.0
    """Seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How far a labeller is."""

    n_page: int
    n_labelled: int
    n_passed: int
    """Pages passed over."""
    pages_per_hour: float | None
    """Of the latest labels; None before the first."""
