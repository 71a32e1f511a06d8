"""Parquet files of records."""

from __future__ import annotations

from pathlib import Path

from pyarrow import parquet

from thresher.batch.model import SCHEMA, Record
from thresher.batch.sinks.parquet import write_parquet


def test_rows_are_records(tmp_path: Path) -> None:
    """A reader finds every record, the version of the columns, and the compression."""
    records = [Record("a", text="rye " * 99), Record("b", authors=("Ann",), error="E: none")]
    write_parquet(records, tmp_path / "a")
    rows = parquet.read_table(tmp_path / "a").to_pylist()
    assert [SCHEMA] * len(rows) == [row.pop("schema") for row in rows]
    assert records == [Record(**{**row, "authors": tuple(row["authors"])}) for row in rows]
    metadata = parquet.ParquetFile(tmp_path / "a").metadata
    assert SCHEMA.encode() == metadata.metadata[b"thresher.schema"]
    assert "ZSTD" == metadata.row_group(0).column(0).compression
