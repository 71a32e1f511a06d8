"""Request to rewrite a page in a worker, and the worker's answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from thresher.proxy.badge import Badge
from thresher.proxy.removed_elements import RemovedElement
from thresher.sites import SiteFolder

__all__ = ["ReceivedPage", "RewriteOptions", "Rewritten"]


@dataclass(frozen=True, slots=True)
class ReceivedPage:
    """Page as received from its server."""

    body: bytes
    """Decompressed."""
    content_type: str
    """Value of the header."""
    url: str


@dataclass(frozen=True, slots=True)
class RewriteOptions:
    """Options of rewriting, from the request and the settings."""

    forced: bool = False
    """The view was chosen for this page or site: apply it to any kind of page."""
    is_part: bool = False
    """The page is in a frame of another page: filters apply, the method and the badge do not."""
    is_guess: bool = False
    """The request was not explicitly for a page."""
    is_plain: bool = False
    """The client does not accept HTML, so text is sent as text/plain."""
    badge: Badge | None = None
    """Links in the badge; None for no badge."""
    picker: str = ""
    """Markup of the picker of elements; empty unless the person has asked for it."""
    lists_removed: bool = False
    """Describe the removed elements in the result."""
    hidden_origin: str = ""
    """Origin of the page if clients know the site by another one: a generated page has paths
    instead."""
    of_application: bool = False
    """The site is an application or a shop, by its pages so far."""
    n_sent: int = 0
    """Bytes of the body that were already sent."""
    deadline_s: float | None = None
    sites: SiteFolder | None = None
    """Statistics learned from other pages, by host."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """Result of rewriting a page."""

    outcome: str
    """The view, or "left alone"."""
    body: bytes | None = None
    """Bytes that follow those already sent; None: the page passes unchanged."""
    content_type: str | None = None
    """None: that of the server."""
    policy: str | None = None
    """Content Security Policy of a generated page; None for the site's page."""
    reason: str = ""
    """Why the page was left alone."""
    is_application: bool | None = None
    """Whether the page is part of an application or a shop; None if that cannot be told."""
    removed: Mapping[str, int] = field(default_factory=dict)
    """Filter → number of removed elements."""
    removed_chars: int = 0
    elements: tuple[RemovedElement, ...] = ()
    """The removed elements, if they were asked for."""
    queued_s: float = 0.0
    """Seconds that the page waited for a worker."""
