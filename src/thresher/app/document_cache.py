"""Cache of extracted documents in a worker process.

A user who inspects one block usually inspects the next, so each process caches the last few
documents. Those of large pages are not cached, to limit memory.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from thresher.app.engine import Task, extract_task
from thresher.app.method_form import MethodQuery
from thresher.app.opened_pages import PageSource
from thresher.document import Document
from thresher.limits import Limits
from thresher.sites import HostRules, Rulebook, SiteFolder
from thresher.support.hosts import host_of

__all__ = ["DocumentKey", "open_document"]

_N_DOCUMENT: Final = 4
_MAX_CHARS: Final = 1_000_000
"""Maximum size of a cached page in characters or bytes: one of 100,000 blocks took 86 MB with all
derived data. Of 2,275 pages of four training corpora 123 are larger."""


@dataclass(frozen=True, slots=True)
class DocumentKey:
    """Cache key: a page and all options of its extraction."""

    source: PageSource
    chosen: MethodQuery
    limits: Limits
    rules: HostRules
    """Rules of the page's host."""
    model: str | None = None
    sites: SiteFolder | None = None


def open_document(key: DocumentKey) -> Document:
    """Extract a page, or return it from the cache; raise the errors of `thresher.extract`."""
    if len(key.source.body) > _MAX_CHARS:
        return _extract(key)
    return _extract_cached(key)


@lru_cache(_N_DOCUMENT)
def _extract_cached(key: DocumentKey) -> Document:
    return _extract(key)


def _extract(key: DocumentKey) -> Document:
    host = host_of(key.source.url)
    book = Rulebook({host: key.rules}) if host else None
    request = replace(key.chosen.select_request(key.model), rules=book)
    return extract_task(Task(key.source, request, key.limits, key.sites))
