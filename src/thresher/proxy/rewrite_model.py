"""Request to rewrite a page in a worker, and the worker's answer, with what it removed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

import numpy as np

from thresher.filters.apply import RemovedRow
from thresher.page import Page
from thresher.page.tags import TEXT
from thresher.proxy.page_parts import Badge
from thresher.sites import SiteFolder
from thresher.sites.apply import find_rows
from thresher.sites.propose import name_element
from thresher.support.hosts import host_of

_MAX_ELEMENTS: Final = 300
"""Elements that are described: a list that people look through."""
_MAX_CHARS: Final = 160
_WHOLE: Final = frozenset(("html", "head", "body"))
_KINDS: Final[Mapping[str, str]] = {
    "script": "a script",
    "img": "a picture",
    "iframe": "a frame",
    "video": "a video",
    "link": "a style sheet or other file",
    "style": "a style sheet",
    "form": "a form",
}
_SOURCES: Final = ("src", "href", "data-src", "action")


@dataclass(frozen=True, slots=True)
class RemovedElement:
    """An element that was removed together with its contents."""

    by: str
    """What removed it: the setting of a filter, ``rules`` or ``selection``."""
    says: str
    """Beginning of its text, or what it is if it has none."""
    place: str
    """Selector that matches this element only, on this page; and all in it, if advertisements in
    it would be removed otherwise."""
    selector: str
    """The same for other pages too: by the element's names, if it has any."""


def describe_removed(
    page: Page, rows: Iterable[RemovedRow], limit: int = _MAX_ELEMENTS
) -> tuple[RemovedElement, ...]:
    """Describe removed rows, up to a limit; a text stands for the element around it.

    Texts right in the body are left out, since a selector of the body matches everything. Parses
    the page once more.
    """
    by_row: dict[int, RemovedRow] = {}
    for removed in rows:
        row = removed.row
        at = int(page.parent[row]) if page.tag[row] == TEXT else row
        if at >= 0 and page.name(at) not in _WHOLE:
            by_row.setdefault(at, removed)
    elements = list(islice(by_row.items(), limit))
    paths = page.paths(np.array([row for row, _ in elements], np.int64))
    names = {row: name_element(page, row) for row, _ in elements}
    distinct = list(dict.fromkeys(name for of_row in names.values() for name in of_row))
    counts = dict(zip(distinct, find_rows(page, distinct).sum(axis=1).tolist(), strict=True))
    described = []
    for (row, removed), path in zip(elements, paths, strict=True):
        if path is None:
            continue
        # Of two names, that which matches fewer elements brings back less besides.
        lasting = min(names[row], key=lambda name: counts[name], default=path.css)
        place, selector = (
            f"{css}, {css} *" if removed.holds_unwanted else css for css in (path.css, lasting)
        )
        described.append(RemovedElement(removed.by, _describe(page, row), place, selector))
    return tuple(described)


def _describe(page: Page, row: int) -> str:
    """Return the beginning of an element's text, or else what it is and where it comes from."""
    text = " ".join(page.text_of(row).split())
    if text:
        return text if len(text) <= _MAX_CHARS else f"{text[:_MAX_CHARS].rstrip()}…"
    rows = range(row, int(page.end[row]))
    at = next((inner for inner in rows if page.name(inner) in _KINDS), row)
    attributes = page.attrs(at)
    kind = _KINDS.get(page.name(at), "an element without text")
    if label := (attributes.get("alt") or attributes.get("title") or "").strip():
        return f"{kind}: {label[:_MAX_CHARS]}"
    hosts = (host_of(attributes.get(name) or "") for name in _SOURCES)
    host = next(filter(None, hosts), "")
    return f"{kind} of {host}" if host else kind


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
