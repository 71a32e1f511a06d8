"""Sources with a page in each row or file: JSON Lines, Parquet, HTML and archives of one page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from thresher.batch.model import Item
from thresher.batch.sources.base import (
    COLUMNS,
    Entry,
    IsDone,
    Place,
    ReadOptions,
    SourceTally,
    Unreadable,
    open_source,
)
from thresher.batch.sources.files import read_lines
from thresher.errors import InputError, MissingExtraError
from thresher.page.archives import unpack_archive

_ROOM: Final = 8
"""Maximum size of a line relative to a page: JSON may escape a character as six bytes, and there
are other values."""


def name_columns(columns: Mapping[str, str]) -> dict[str, str]:
    """Return the column of each field: as given, or from `COLUMNS`."""
    return {**COLUMNS, **columns}


def entry_of(row: Mapping[str, object], columns: Mapping[str, str], number: int) -> Entry:
    """Convert a row, the ``number``-th of its file from 1, which is the default id.

    The page must be text or bytes; an empty page is rejected later.
    """
    id, url = row.get(columns["id"]), row.get(columns["url"])
    name = str(number) if id is None else str(id)
    url = url if isinstance(url, str) else None
    body, charset = row.get(columns["html"]), row.get(columns["charset"])
    if not isinstance(body, str | bytes):
        says = "has no" if body is None else f"has a {type(body).__name__} as"
        return Unreadable(name, f"InputError: the row {says} {columns['html']}", url)
    return Item(name, body, url, charset if isinstance(charset, str) else None)


def read_jsonl(
    place: Place, options: ReadOptions, tally: SourceTally, is_done: IsDone
) -> Iterator[tuple[int, Entry]]:
    """Read one object per line (a `thresher.batch.sources.base.Read`); blank lines do not count."""
    columns = name_columns(options.columns)
    max_bytes = options.max_bytes * _ROOM
    for number, line in read_lines(Path(place.paths[0]), place.name, tally, max_bytes):
        if not line.strip():
            tally.skipped["blank line"] += 1
            continue
        position = tally.take()
        if is_done(position):
            continue
        if len(line) > max_bytes:
            says = f"LimitError: the line has more than {max_bytes:,} bytes"
            yield position, Unreadable(str(number), says)
            continue
        yield position, _read_line(line, columns, number)


def _read_line(line: bytes, columns: dict[str, str], number: int) -> Entry:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Unreadable(str(number), f"InputError: the line is no JSON: {error}")
    if not isinstance(row, dict):
        says = f"InputError: the line is a JSON {type(row).__name__}, not an object"
        return Unreadable(str(number), says)
    return entry_of(row, columns, number)


def read_html(
    place: Place, options: ReadOptions, tally: SourceTally, is_done: IsDone
) -> Iterator[tuple[int, Entry]]:
    """Read one page per file (a `thresher.batch.sources.base.Read`); its id is its path.

    A file that cannot be read has a position, but no entry; the tally has the reason.
    """
    for name in place.paths:
        position = tally.take()
        if is_done(position):
            continue
        try:
            with Path(name).open("rb") as file:
                body = file.read(options.max_bytes + 1)
        except OSError as error:
            tally.unread.append(f"{name}: {error.strerror or error}")
            continue
        tally.n_byte += len(body)
        try:
            archived = unpack_archive(body) if len(body) <= options.max_bytes else None
        except InputError as error:
            yield position, Unreadable(name, f"{type(error).__name__}: {error}")
            continue
        if archived is None:
            yield position, Item(name, body)
        else:
            yield position, Item(name, archived.html, archived.url, archived.charset)


_N_ROW: Final = 64
"""Rows in memory at a time, as pages are long."""


def read_parquet(
    place: Place, options: ReadOptions, tally: SourceTally, is_done: IsDone
) -> Iterator[tuple[int, Entry]]:
    """Read one page per row (a `thresher.batch.sources.base.Read`); other columns are not read.

    Rows of a damaged row group after the damage are lost; the tally has their number.
    """
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError("reading Parquet files", "batch") from error
    columns = name_columns(options.columns)
    with open_source(Path(place.paths[0]), tally) as file:
        try:
            table = parquet.ParquetFile(file)
        except (pa.ArrowException, OSError, ValueError) as error:
            tally.damage.append(f"{place.name}: it is no whole Parquet file: {error}")
            return
        there = set(table.schema_arrow.names)
        if columns["html"] not in there:
            tally.damage.append(f"{place.name}: it has no column {columns['html']}")
            return
        wanted = sorted(there & set(columns.values()))
        number = 0
        for group in range(table.num_row_groups):
            n_row, before = table.metadata.row_group(group).num_rows, number
            try:
                for batch in table.iter_batches(_N_ROW, row_groups=[group], columns=wanted):
                    for row in batch.to_pylist():
                        number += 1
                        position = tally.take()
                        if not is_done(position):
                            yield position, entry_of(row, columns, number)
            except (pa.ArrowException, OSError, ValueError) as error:
                n_lost = n_row - (number - before)
                says = f"row group {group} is corrupt, {n_lost:,} rows are lost: {error}"
                tally.damage.append(f"{place.name}: {says}")
                number = before + n_row
            tally.n_byte = place.n_byte * (group + 1) // table.num_row_groups
