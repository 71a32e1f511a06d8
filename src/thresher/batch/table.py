"""Extraction from Arrow tables, and of WARC archives, to Arrow tables, for every engine.

The guard runs inside the engine's worker. An engine aborts a task, a block or the whole job if a
page crashes its worker; here such a page becomes a row with an error.

An archive is the work of one task. A remote one is copied first. Reading it over the network would
keep the connection open while its pages are extracted, for a quarter of an hour, and start again
whenever it breaks.
"""

from __future__ import annotations

import json
import shutil
import uuid
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from thresher.batch.guard import Guard
from thresher.batch.model import Item, Record, Settings, arrow_schema, arrow_table, import_pyarrow
from thresher.batch.sinks import COMPRESSION
from thresher.batch.sources.base import Entry, IsDone, Place, ReadOptions, SourceTally, Unreadable
from thresher.batch.sources.plan import DAMAGE, read_source
from thresher.batch.sources.rows import entry_of, name_columns
from thresher.batch.splitting import short_name, split_name
from thresher.batch.stores import PIECE_BYTES, file_system, local_copy
from thresher.errors import InputError, UsageError
from thresher.support.quoting import quote

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.fs import FileSystem

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
    return _batch_of(list(extract_entries(pages_of(batch, columns), settings, guard=guard)))


def extract_entries(
    entries: Iterable[Entry], settings: Settings, *, guard: Guard
) -> Iterator[Record]:
    """Yield a record for every entry of a source, in order, as `Guard.extract` does."""
    order: deque[Record | None] = deque()
    """Entries taken from the source: None for each page that the guard processes."""

    def items() -> Iterator[Item]:
        for entry in entries:
            if isinstance(entry, Unreadable):
                order.append(entry.as_record(settings))
            else:
                order.append(None)
                yield entry

    for record in guard.extract(items()):
        while (error_record := order.popleft()) is not None:
            yield error_record
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


_ROWS: Final = 5000
"""Records of a row group, which is in memory as a whole."""
_MANIFEST: Final = b"thresher.manifest"
"""Metadata key of a file of records that says how it was made."""
_DIGEST_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class ArchiveReport:
    """What became of one archive."""

    source: str
    """Its path."""
    file: str
    """The Parquet file of its records."""
    n_record: int
    n_error: int
    """Records with an error, those of damaged places among them."""
    n_damage: int
    """Damaged places, each of which is a record."""
    is_new: bool
    """Whether the file was written now; it was there before otherwise."""


def extract_archive(
    path: str,
    settings: Settings,
    *,
    guard: Guard,
    max_damaged: int | None = None,
    is_done: IsDone = lambda _: False,
) -> Iterator[Record]:
    """Yield the record of every page in a WARC file, with its path as their source.

    ``path`` is a local file, or any URI supported by Arrow's file systems (``s3://`` or ``s3a://``,
    ``hdfs://``, ``gs://``, ``file://``), or a part of one, as `thresher.batch.splitting` names it;
    the source is the archive. Each damaged place of the archive gives one error record
    after the others, whose id begins with the path. Positions for which ``is_done`` returns true
    are left out.

    Raises what an engine should try again: OSError where the archive or the local disk cannot be
    opened, read or written, and pyarrow's errors where a store refuses. Raises InputError after
    more than ``max_damaged`` damaged places, and MissingExtraError without `fastwarc`.
    """
    tally = SourceTally()
    archive, spans = split_name(path)
    with local_copy(archive, spans) as local:
        place = Place("warc", short_name(path), (str(local),), local.stat().st_size)
        options = ReadOptions(max_bytes=settings.limits.max_bytes)
        entries = (entry for _, entry in read_source(place, options, tally, is_done))
        for record in extract_entries(entries, settings, guard=guard):
            yield replace(record, source=archive)
    if tally.failure is not None:
        raise OSError(tally.failure.errno, *tally.unread)
    n_damaged = len(tally.damage)
    if max_damaged is not None and n_damaged > max_damaged:
        raise InputError(f"{n_damaged} damaged places, more than {max_damaged}: {tally.damage[0]}")


def write_archive(
    path: str,
    out: str,
    settings: Settings,
    *,
    guard: Guard,
    only_errors: bool = False,
    max_damaged: int | None = None,
) -> ArchiveReport:
    """Write the records of a WARC file to a Parquet file of its own in a folder.

    ``path`` and ``out`` are as for `extract_archive`. The file appears when it is complete, and
    replaces an earlier one, so that a task may be repeated or run twice. Nothing is done if it is
    there, and was made of the same archive (by size and time of change) with the same settings and
    version of Thresher. With ``only_errors``, only its records with an error are extracted again,
    for which the limits of the settings may differ. Raises what `extract_archive` does.
    """
    import_pyarrow()
    from pyarrow import parquet

    system, folder = file_system(out)
    place, stamp = _look_at(path)
    part = path.removeprefix(split_name(path)[0])
    digest = blake2b((place + part).encode("utf-8", "surrogateescape"), digest_size=_DIGEST_BYTES)
    name = f"{Path(place).name}-{digest.hexdigest()}.parquet"
    file = f"{folder.rstrip('/')}/{name}"
    origin = {"archive": stamp} | settings.describe()
    before = _read_manifest(system, file)
    report = ArchiveReport(path, file, **before["counts"], is_new=False) if before else None
    again = bool(only_errors and report and report.n_error)
    if before and report and not again and before["origin"] == origin:
        return report

    extract = partial(extract_archive, path, settings, guard=guard, max_damaged=max_damaged)
    with TemporaryDirectory(prefix="thresher-") as scratch:
        draft = Path(scratch) / name
        if before and again and before["origin"] | {"limits": origin["limits"]} == origin:
            with system.open_input_file(file) as opened:
                old = parquet.ParquetFile(opened)
                errors = old.read(columns=["error"])["error"].is_valid().to_pylist()
                records = extract(is_done=lambda position: not errors[position])
                # What is not extracted again keeps the limits that it was extracted with.
                tables = _replace_errors(old, records)
                report = _write(tables, path, file, draft, before["origin"])
        else:
            report = _write(as_batches(extract(), _ROWS), path, file, draft, origin)
        _publish(draft, system, file)
    return report


def _replace_errors(old: Any, records: Iterator[Record]) -> Iterator[pa.Table]:
    """Yield the row groups of a file, each row with an error replaced by the next record."""
    arrow = import_pyarrow()
    for group in range(old.num_row_groups):
        table = old.read_row_group(group)
        failed = table["error"].is_valid().to_pylist()
        new = arrow_table(list(islice(records, sum(failed))))
        numbers = iter(range(table.num_rows, table.num_rows + new.num_rows))
        rows = [next(numbers) if is_bad else row for row, is_bad in enumerate(failed)]
        yield arrow.concat_tables([table, new]).take(rows)


def _write(
    tables: Iterable[pa.Table | pa.RecordBatch],
    path: str,
    file: str,
    draft: Path,
    origin: dict[str, str],
) -> ArchiveReport:
    """Write a Parquet file whose metadata says where it is from and what is in it."""
    import_pyarrow()
    from pyarrow import compute, parquet

    counts = dict.fromkeys(("n_record", "n_error", "n_damage"), 0)
    with parquet.ParquetWriter(draft, arrow_schema(), compression=COMPRESSION) as writer:
        for table in tables:
            writer.write(table)
            counts["n_record"] += table.num_rows
            counts["n_error"] += table.num_rows - table["error"].null_count
            damaged = compute.starts_with(table["id"], f"{short_name(path)}{DAMAGE}")
            counts["n_damage"] += compute.sum(damaged).as_py() or 0
        manifest = json.dumps({"origin": origin, "counts": counts}).encode()
        writer.add_key_value_metadata({_MANIFEST: manifest})
    return ArchiveReport(path, file, **counts, is_new=True)


def _read_manifest(system: FileSystem, file: str) -> Any:
    """Return the manifest of a file of records; None if there is no such file, or no whole one."""
    arrow = import_pyarrow()
    from pyarrow import parquet

    try:
        with system.open_input_file(file) as opened:
            return json.loads(parquet.read_metadata(opened).metadata[_MANIFEST])
    except (FileNotFoundError, arrow.ArrowInvalid, KeyError, ValueError):
        return None


def _publish(draft: Path, system: FileSystem, file: str) -> None:
    """Copy a file to a system under another name, which readers ignore, and move it into place."""
    folder, _, name = file.rpartition("/")
    system.create_dir(folder, recursive=True)
    there = f"{folder}/_{uuid.uuid4().hex}-{name}"
    with draft.open("rb") as source, system.open_output_stream(there, compression=None) as copy:
        shutil.copyfileobj(source, copy, PIECE_BYTES)
    system.move(there, file)


def _look_at(path: str) -> tuple[str, str]:
    """Return the path of an archive in its file system, and what tells whether it has changed."""
    system, place = file_system(split_name(path)[0])
    info = system.get_file_info(place)
    return place, f"{info.size} {info.mtime_ns}"
