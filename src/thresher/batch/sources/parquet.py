"""Parquet files: one page per row, in a column of text or bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from thresher.batch.sources.base import Entry, IsDone, Place, ReadOptions, SourceTally
from thresher.batch.sources.opening import open_source
from thresher.batch.sources.rows import entry_of, name_columns
from thresher.errors import MissingExtraError

__all__ = ["read_parquet"]

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
