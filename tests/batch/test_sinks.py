"""Sinks: JSON Lines, Parquet, and folders of Markdown."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
import zstandard
from pyarrow import parquet

from thresher.batch.model import SCHEMA, Record
from thresher.batch.sinks import INDEX, SINKS, write_line, write_markdown, write_parquet

RECORDS = [Record("a", text="rye\n\u2028é"), Record("b", authors=("Ann",), error="E: none")]


def unzip_zstd(content: bytes) -> bytes:
    return zstandard.ZstdDecompressor().decompressobj().decompress(content)


READERS: dict[str, Callable[[Path], bytes]] = {
    "jsonl": Path.read_bytes,
    "jsonl.gz": lambda path: gzip.decompress(path.read_bytes()),
    "jsonl.zst": lambda path: unzip_zstd(path.read_bytes()),
}


@pytest.mark.parametrize("format", READERS)
def test_lines_are_records(format: str, tmp_path: Path) -> None:
    """Each line has the version and all columns in order, with any compression."""
    path = tmp_path / "a"
    SINKS[format].write(RECORDS, path)
    rows = [json.loads(line) for line in READERS[format](path).decode().split("\n")[:-1]]
    expected = [{"schema": SCHEMA} | asdict(record) for record in RECORDS]
    assert [{**row, "authors": list(row["authors"])} for row in expected] == rows
    assert list(expected[0]) == list(rows[0])


def test_lone_surrogates_are_written() -> None:
    """Lone surrogates, invalid in UTF-8, become question marks."""
    assert b'"text":"rye ?"' in write_line(Record("a", text="rye \ud800"))


PAGES = [
    Record("a", url="http://farm.example/fields/rye.html?x=1", markdown="# Rye\n\n"),
    Record("b", error="InputError: none"),
    Record("c", url="http://farm.example/", markdown="Oats \ud800"),
    Record("../../etc/passwd", markdown="Wheat"),
    Record("..", markdown="Barley"),
    Record("d", url="http://farm.example/" + "é" * 300, markdown="Millet"),
]


def test_a_file_a_page_that_has_content(tmp_path: Path) -> None:
    """File names are safe, short and unique; the index has every record and its file."""
    write_markdown(PAGES, tmp_path / "part")
    rows = [json.loads(line) for line in (tmp_path / "part" / INDEX).read_text().splitlines()]
    assert [record.id for record in PAGES] == [row["id"] for row in rows]
    assert rows[0]["file"] == "00000-x-1.md"
    assert rows[1]["file"] is None
    assert "# Rye\n" == (tmp_path / "part" / rows[0]["file"]).read_text()
    assert "Oats ?\n" == (tmp_path / "part" / rows[2]["file"]).read_text()
    files = {file.name for file in (tmp_path / "part").iterdir()}
    assert {row["file"] for row in rows if row["file"]} | {INDEX} == files
    assert ["part"] == [path.name for path in tmp_path.iterdir()]


def test_rows_are_records(tmp_path: Path) -> None:
    """A reader finds every record, the version of the columns, and the compression."""
    write_parquet(RECORDS, tmp_path / "a")
    rows = parquet.read_table(tmp_path / "a").to_pylist()
    assert [SCHEMA] * len(rows) == [row.pop("schema") for row in rows]
    assert RECORDS == [Record(**{**row, "authors": tuple(row["authors"])}) for row in rows]
    metadata = parquet.ParquetFile(tmp_path / "a").metadata
    assert SCHEMA.encode() == metadata.metadata[b"thresher.schema"]
    assert "ZSTD" == metadata.row_group(0).column(0).compression
