"""What goes through a batch: items in, records out, and what is done with every page.

`Record` is the documented schema of the output (docs/batch.md), by the name in `SCHEMA`. The name
changes when a column goes or changes its meaning; a new column alone does not change it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from thresher.algorithms import DEFAULT_METHOD
from thresher.errors import UsageError
from thresher.limits import Limits
from thresher.request import SelectRequest
from thresher.sites import Rulebook, SiteFolder

__all__ = ["DEADLINE_S", "FORMATS", "SCHEMA", "Item", "Record", "Settings"]

SCHEMA: Final = "thresher.batch/1"
"""Name and version of the columns of `Record`."""
FORMATS: Final = ("text", "markdown", "html")
"""What the content of a page can be written as; one column each."""
DEADLINE_S: Final = 10.0
"""Seconds a page of a batch may take. A thousand times the usual page: nobody waits for it, and the
others wait behind it."""


@dataclass(frozen=True, slots=True)
class Item:
    """One page to extract."""

    id: str
    """Unique within its source: the id of a WARC record, a path, the number of a row …"""
    body: bytes | str
    url: str | None = None
    http_charset: str | None = None
    """The charset that the server named."""


def _batch_limits() -> Limits:
    return Limits(deadline_s=DEADLINE_S)


@dataclass(frozen=True, slots=True)
class Settings:
    """What is done with every page; pickles. UsageError for formats that there are not."""

    method: str = DEFAULT_METHOD
    params: Mapping[str, object] = field(default_factory=dict)
    scope: str | None = None
    favor: str | float | None = None
    formats: tuple[str, ...] = ("text",)
    """Some of `FORMATS`."""
    metadata: bool = True
    sites: SiteFolder | None = None
    """What is known of the sites of the pages, by the host of a page's URL (docs/sites.md)."""
    rules: Rulebook | None = None
    """What the user says of hosts (docs/rules.md)."""
    limits: Limits = field(default_factory=_batch_limits)
    max_memory_bytes: int | None = None
    """What a worker may have in memory before it is ended; None for as much as there is."""

    def __post_init__(self) -> None:
        unknown = [name for name in self.formats if name not in FORMATS]
        if unknown:
            raise UsageError(f"unknown format {unknown[0]!r}; some of {', '.join(FORMATS)}")

    def select_request(self, url: str | None = None) -> SelectRequest:
        """Return how a page is selected, with what is known of the site of its URL."""
        site = self.sites.site_of(url) if self.sites and url else None
        params = self.params or None
        return SelectRequest(self.method, params, self.scope, self.favor, site, self.rules)


@dataclass(frozen=True, slots=True)
class Record:
    """One page of the output: one line, or one row. The columns are in this order."""

    id: str
    """The id of the item."""
    url: str | None = None
    source: str | None = None
    """The file that the item came from."""
    text: str | None = None
    markdown: str | None = None
    html: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: str | None = None
    """ISO 8601, as exact as the page says it."""
    modified: str | None = None
    language: str | None = None
    """BCP 47."""
    site_name: str | None = None
    description: str | None = None
    verdict: str | None = None
    """The value of a `thresher.Verdict`; None where there was an error."""
    page_type: str | None = None
    confidence: float | None = None
    """The word F1 to be expected, 0 to 1."""
    scope: str | None = None
    """The scope that was asked for, or settled on."""
    method: str | None = None
    n_bytes: int = 0
    """Bytes of the page as it was read, text as UTF-8."""
    elapsed_s: float = 0.0
    """Seconds of work on the page."""
    digest: str | None = None
    """BLAKE2b of the page as it was read: 16 bytes in hexadecimal."""
    error: str | None = None
    """Name of the exception and its message, None where there was none."""
    version: str | None = None
    """The version of Thresher."""
    duplicate_of: str | None = None
    """The id of an earlier record with the same text, or nearly so (with its source where that is
    another one), where duplicates are looked for."""
    duplicate: str | None = None
    """``exact`` or ``near``, where it is one."""
    n_repeated: int | None = None
    """How many blocks of the text are on many pages of the host, where those are looked for."""
