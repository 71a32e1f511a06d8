"""Parquet files."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from tests.batch.sources.reading import read
from thresher.batch.model import Item
from thresher.batch.sources.base import ReadOptions


def write(path: Path, n_row: int = 300) -> Path:
    pages = [f"<p>rye {n}".encode() * 20 for n in range(n_row)]
    table = pa.table({"content": pages, "key": range(n_row), "more": ["x"] * n_row})
    parquet.write_table(table, path, row_group_size=100, compression="none")
    return path


READING = ReadOptions(columns={"html": "content", "id": "key"})


def test_a_row_is_a_page(tmp_path: Path) -> None:
    """Rows of all row groups are read in order, from the given columns."""
    entries, tally = read("parquet", write(tmp_path / "a.parquet"), {0}, READING)
    assert [*range(1, 300)] == list(entries)
    assert Item("299", b"<p>rye 299" * 20) == entries[299]
    assert (300, []) == (tally.n_entry, tally.damage)


def test_truncation_is_detected(tmp_path: Path) -> None:
    """A truncated file has no footer, so nothing can be read, which is noted."""
    path = write(tmp_path / "a.parquet")
    path.write_bytes(path.read_bytes()[:-100])
    entries, tally = read("parquet", path, (), READING)
    assert {} == entries
    assert "no whole Parquet file" in tally.damage[0]


def test_a_corrupt_row_group_costs_its_own_rows(tmp_path: Path) -> None:
    """The rows of the other groups keep their positions and numbers."""
    path = write(tmp_path / "a.parquet")
    group = parquet.ParquetFile(path).metadata.row_group(1)
    start = group.column(0).dictionary_page_offset or group.column(0).data_page_offset
    content = bytearray(path.read_bytes())
    content[start : start + 40] = b"\xff" * 40
    path.write_bytes(content)
    entries, tally = read("parquet", path, (), READING)
    ids = [entry.id for entry in entries.values()]
    assert {*map(str, range(100)), *map(str, range(200, 300))} == {*ids}
    assert "row group 1 is corrupt, 100 rows are lost" in tally.damage[0]


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    """A file without the column is noted as damage, not as an error for each row."""
    entries, tally = read("parquet", write(tmp_path / "a.parquet"))
    assert {} == entries
    assert "it has no column html" in tally.damage[0]
