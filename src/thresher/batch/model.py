"""The data model of a batch: items, the settings of the extraction, and records, also in Arrow.

`Record` is the documented schema of the output (docs/batch.md), by the name in `SCHEMA`. The name
changes when a column is removed or changes its meaning, not when one is added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final

from thresher import __version__
from thresher.algorithms import DEFAULT_METHOD, MethodName
from thresher.algorithms.base import FavorName
from thresher.errors import MissingExtraError, UsageError
from thresher.limits import Limits
from thresher.request import SelectRequest
from thresher.roles import ScopeName
from thresher.support.quoting import quote

if TYPE_CHECKING:
    import pyarrow as pa

    from thresher.batch.known import KnownPages
    from thresher.sites import PackedSites, Rulebook, SiteFolder
    from thresher.writers.formats import FormatName

SCHEMA: Final = "thresher.batch/1"
"""Name and version of the columns of `Record`."""
FORMATS: Final = ("text", "markdown", "html")
"""Formats of the content; one column each."""
DEADLINE_S: Final = 30.0
"""Seconds of processor time per page: more than ordinary pages take that are as large as the other
limits allow, so that for them size alone decides."""


@dataclass(frozen=True, slots=True)
class Item:
    """One page to extract."""

    id: str
    """Unique within its source: the id of a WARC record, a path, a row number …"""
    body: bytes | str
    url: str | None = None
    http_charset: str | None = None
    """The charset declared by the server."""


def _batch_limits() -> Limits:
    return Limits(deadline_s=DEADLINE_S)


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the extraction of every page; picklable. UsageError for unknown formats."""

    method: MethodName = DEFAULT_METHOD
    params: Mapping[str, object] = field(default_factory=dict)
    scope: ScopeName | None = None
    favor: FavorName | float | None = None
    formats: tuple[FormatName, ...] = ("text",)
    """Any of `FORMATS`."""
    metadata: bool = True
    sites: SiteFolder | PackedSites | None = None
    """Learned site layouts, by the host of a page's URL (docs/sites.md): those in a folder that
    every machine has, or packed, which go with the settings."""
    rules: Rulebook | None = None
    """The user's rules for hosts (docs/rules.md)."""
    known: KnownPages | None = None
    """Pages that are not extracted, as an earlier run has them: their records have no content, and
    ``duplicate`` is ``known``."""
    limits: Limits = field(default_factory=_batch_limits)
    """The deadline is processor time, so that no result depends on what else a machine does."""
    max_memory_bytes: int | None = None
    """Memory limit of a worker; None for no limit."""

    def __post_init__(self) -> None:
        unknown = [name for name in self.formats if name not in FORMATS]
        if unknown:
            raise UsageError(f"unknown format {quote(unknown[0])}; some of {', '.join(FORMATS)}")

    def describe(self) -> dict[str, str]:
        """Return everything that records depend on; the limits decide which of them are errors.

        The memory of a worker is not among it: what ran out of it may go on with more.
        """
        rest = replace(self, limits=_batch_limits(), max_memory_bytes=None)
        return {"thresher": __version__, "settings": repr(rest), "limits": repr(self.limits)}

    def select_request(self, url: str | None = None) -> SelectRequest:
        """Return how a page is selected, with what is known of the site of its URL."""
        site = self.sites.site_of(url) if self.sites and url else None
        params = self.params or None
        return SelectRequest(self.method, params, self.scope, self.favor, site, self.rules)


@dataclass(frozen=True, slots=True)
class Record:
    """One page of the output, as a line or a row. The columns are in this order."""

    schema: ClassVar[str] = SCHEMA
    """The version of the columns, the same in every record."""
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
    """ISO 8601, as precise as on the page."""
    modified: str | None = None
    language: str | None = None
    """BCP 47."""
    site_name: str | None = None
    description: str | None = None
    verdict: str | None = None
    """The value of a `thresher.Verdict`; None after an error."""
    page_type: str | None = None
    confidence: float | None = None
    """The expected word F1, 0 to 1."""
    scope: str | None = None
    """The scope requested, or chosen automatically."""
    method: str | None = None
    n_bytes: int = 0
    """Size of the input page, text as UTF-8."""
    elapsed_s: float = 0.0
    """Seconds of processing."""
    digest: str | None = None
    """BLAKE2b of the input page: 16 bytes in hexadecimal."""
    error: str | None = None
    """Name and message of the exception, None without one."""
    version: str | None = None
    """The version of Thresher."""
    duplicate_of: str | None = None
    """The id of an earlier record with (nearly) the same text, preceded by its source if another
    one; only with duplicate detection."""
    duplicate: str | None = None
    """``exact`` or ``near`` for a duplicate, ``known`` for a page that an earlier run has."""
    n_repeated: int | None = None
    """Number of blocks that occur on many pages of the host; only if they are counted."""


COLUMNS: Final = ("schema", *(field.name for field in fields(Record)))
"""Names of the columns, in order. The version is one, as engines drop the metadata of files."""
_SCHEMA_KEY: Final = b"thresher.schema"
"""Metadata key of a Parquet file that holds the version of the columns."""


def import_pyarrow() -> Any:
    """Import pyarrow; MissingExtraError if it is not installed."""
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtraError("Parquet", "batch") from error
    return pyarrow


def arrow_schema() -> pa.Schema:
    """Return the Arrow schema of `Record`, with its version in the metadata."""
    arrow = import_pyarrow()
    types = dict.fromkeys(COLUMNS, arrow.string()) | {
        "authors": arrow.list_(arrow.string()),
        # With 64-bit offsets, as a part can exceed the 2 GiB of a `string` column.
        **dict.fromkeys(FORMATS, arrow.large_string()),
        **dict.fromkeys(("n_bytes", "n_repeated"), arrow.int64()),
        **dict.fromkeys(("confidence", "elapsed_s"), arrow.float64()),
    }
    return arrow.schema(types, metadata={_SCHEMA_KEY: SCHEMA.encode("ascii")})


def arrow_table(records: Sequence[Record]) -> pa.Table:
    """Return records as a table; lone surrogates, invalid in UTF-8, become question marks."""
    arrow, schema = import_pyarrow(), arrow_schema()
    arrays = []
    for column in schema:
        values = list(map(attrgetter(column.name), records))
        try:
            arrays.append(arrow.array(values, column.type))
        except UnicodeEncodeError:
            arrays.append(arrow.array(list(map(_clean, values)), column.type))
    return arrow.table(arrays, schema=schema)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    return [_clean(one) for one in value] if isinstance(value, tuple) else value
