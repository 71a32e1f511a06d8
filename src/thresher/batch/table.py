"""Extraction from Arrow tables to Arrow tables, for every engine.

The guard runs inside the engine's worker. An engine aborts a task, a block or the whole job if a
page crashes its worker; here such a page becomes a row with an error.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Final

from thresher import __version__
from thresher.batch.guard import Guard
from thresher.batch.model import Item, Record, Settings, arrow_schema, arrow_table, import_pyarrow
from thresher.batch.sources.base import Entry, Unreadable
from thresher.batch.sources.rows import entry_of, name_columns
from thresher.errors import UsageError
from thresher.support.quoting import quote

if TYPE_CHECKING:
    import pyarrow as pa

ROWS: Final = 128
"""Rows of a batch: 20 to 40 MB of pages, and a few seconds of processing."""


def extract_batch(
    batch: pa.RecordBatch,
    settings: Settings,
    *,
    columns: Mapping[str, str] | None = None,
    guard: Guard | None = None,
) -> pa.RecordBatch:
    """Return a row of `arrow_schema()` for each row, in order.

    ``columns`` is as for `pages_of`. Callers with many batches should pass one guard, created with
    the same settings; otherwise a process is started for this batch alone.
    """
    if guard is None:
        with Guard(settings) as own:
            return extract_batch(batch, settings, columns=columns, guard=own)
    records = list(extract_entries(pages_of(batch, columns), settings, guard=guard))
    return _batch_of(records)


def extract_entries(
    entries: Iterable[Entry], settings: Settings, *, guard: Guard
) -> Iterator[Record]:
    """Yield a record for every entry of a source, in order, as `Guard.extract` does."""
    order: deque[Record | None] = deque()
    """Entries taken from the source: None for each page that the guard processes."""

    def items() -> Iterator[Item]:
        for entry in entries:
            if isinstance(entry, Unreadable):
                order.append(
                    Record(
                        entry.id,
                        entry.url,
                        method=settings.method,
                        error=entry.error,
                        version=__version__,
                    )
                )
            else:
                order.append(None)
                yield entry

    for record in guard.extract(items()):
        while (known := order.popleft()) is not None:
            yield known
        yield record
    yield from (record for record in order if record is not None)


def pages_of(batch: pa.RecordBatch, columns: Mapping[str, str] | None = None) -> Iterator[Entry]:
    """Yield the page of each row.

    ``columns`` maps ``id``, ``html`` (text or bytes), ``url`` and ``charset`` to other column
    names. Only the HTML and one of id and URL, which then serves as id, are required; UsageError if
    they are missing.
    """
    names = name_columns(columns or {})
    there = set(batch.schema.names)
    asked = {names["html"], *(columns or {}).values()}
    if asked - there:
        columns_there = ", ".join(sorted(there)) or "none"
        raise UsageError(f"no column {quote(min(asked - there))}; there are {columns_there}")
    id_name = next((names[key] for key in ("id", "url") if names[key] in there), None)
    if id_name is None:
        raise UsageError("the pages need a column of ids or of URLs")
    names["id"] = id_name
    wanted = [name for name in batch.schema.names if name in names.values()]
    chosen = batch.select(wanted)
    # One row at a time, to avoid a second copy of all pages as Python objects.
    for number in range(batch.num_rows):
        (row,) = chosen.slice(number, 1).to_pylist()
        yield entry_of(row, names, number + 1)


def as_batches(records: Iterable[Record], n_row: int = ROWS) -> Iterator[pa.RecordBatch]:
    """Yield records as batches of ``n_row`` rows."""
    remaining = iter(records)
    while some := list(islice(remaining, n_row)):
        yield _batch_of(some)


def _batch_of(records: list[Record]) -> pa.RecordBatch:
    arrow = import_pyarrow()
    columns = [column.combine_chunks() for column in arrow_table(records).columns]
    return arrow.RecordBatch.from_arrays(columns, schema=arrow_schema())
