"""JSON Lines of records."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
import zstandard

from thresher.batch.model import SCHEMA, Record
from thresher.batch.sinks import SINKS
from thresher.batch.sinks.jsonl import write_line

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
