"""Parquet: one row per record, with the columns of `thresher.batch.columns`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from thresher.batch.columns import arrow_table, import_pyarrow
from thresher.batch.model import Record

__all__ = ["COMPRESSION", "drop_parquet_errors", "write_parquet"]

COMPRESSION: Final = "zstd"
"""Supported by all current readers of Parquet; text is half as large as with snappy."""


def write_parquet(records: Sequence[Record], path: Path) -> None:
    """Write one file; OSError if it cannot, MissingExtraError without pyarrow."""
    import_pyarrow()
    from pyarrow import parquet

    parquet.write_table(arrow_table(records), path, compression=COMPRESSION)


def drop_parquet_errors(before: Path, path: Path) -> None:
    """Copy a file without the rows that have an error."""
    from pyarrow import parquet

    table = parquet.ParquetFile(before).read()
    good = table.filter(table["error"].is_null())
    parquet.write_table(good, path, compression=COMPRESSION)
