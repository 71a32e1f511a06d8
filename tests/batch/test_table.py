"""Rows become tables of Parquet, and sinks write them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from tests.batch.misbehaving import GOOD, misbehave
from thresher.batch.guard import Guard
from thresher.batch.model import COLUMNS, SCHEMA, Item, Record, Settings, arrow_schema, arrow_table
from thresher.batch.sinks import INDEX, SINKS, write_line, write_markdown, write_parquet
from thresher.batch.sources.base import Entry, Unreadable
from thresher.batch.table import as_batches, extract_batch, extract_entries, pages_of
from thresher.errors import UsageError

pytest.importorskip("pyarrow", reason="the extra batch is not installed")


SETTINGS = Settings(metadata=False)


def test_every_row_becomes_a_row() -> None:
    """Every row gives a row in the same position, whether good, bad or missing."""
    batch = pa.RecordBatch.from_pydict(
        {
            "key": ["a", "b", "c", "d"],
            "address": ["https://example.org/a", None, None, None],
            "page": [GOOD.encode(), b"segfault:", None, GOOD.encode()],
            "other": [1, 2, 3, 4],
        }
    )
    with Guard(SETTINGS, work=misbehave) as guard:
        columns = {"id": "key", "url": "address", "html": "page"}
        out = extract_batch(batch, SETTINGS, columns=columns, guard=guard)
    assert arrow_schema() == out.schema
    assert ["a", "b", "c", "d"] == out["id"].to_pylist()
    assert ["https://example.org/a", None, None, None] == out["url"].to_pylist()
    errors = out["error"].to_pylist()
    assert [None, None] == [errors[0], errors[3]]
    assert "ChildProcessError: its worker died: SIGSEGV" == errors[1]
    assert "InputError: the row has no page" == errors[2]
    assert "sheaves" in out["text"][3].as_py()


def test_a_batch_alone_needs_no_guard() -> None:
    """A single batch needs no guard, not even an empty one."""
    batch = pa.RecordBatch.from_pydict({"url": ["https://example.org/"], "html": [GOOD]})
    assert ["https://example.org/"] == extract_batch(batch, SETTINGS)["id"].to_pylist()
    assert 0 == extract_batch(batch.slice(0, 0), SETTINGS).num_rows


@pytest.mark.parametrize(
    ("names", "columns", "message"),
    [
        (["id", "text"], None, 'no column "html"'),
        (["id", "html"], {"url": "address"}, 'no column "address"'),
        (["html"], None, "ids or of URLs"),
    ],
)
def test_missing_column_is_a_usage_error(
    names: list[str], columns: dict[str, str] | None, message: str
) -> None:
    """A missing column raises UsageError."""
    batch = pa.RecordBatch.from_pydict({name: ["x"] for name in names})
    with pytest.raises(UsageError, match=message):
        list(pages_of(batch, columns))


def test_entries_that_cannot_be_read_keep_their_place() -> None:
    """An unreadable entry gives an error record in its position."""
    bad = [Unreadable(name, "InputError: cut off") for name in "abcd"]
    entries: list[Entry] = [bad[0], Item("1", GOOD), bad[1], bad[2], Item("2", GOOD), bad[3]]
    with Guard(SETTINGS) as guard:
        records = list(extract_entries(entries, SETTINGS, guard=guard))
    assert ["a", "1", "b", "c", "2", "d"] == [record.id for record in records]
    cut = "InputError: cut off"
    assert [cut, None, cut, cut, None, cut] == [record.error for record in records]


def test_records_are_cut_into_batches() -> None:
    """Batches have at most the given length, and are never empty."""
    batches = list(as_batches((Record(str(number)) for number in range(5)), 2))
    assert [2, 2, 1] == [batch.num_rows for batch in batches]
    assert ["0", "1", "2", "3", "4"] == [id for batch in batches for id in batch["id"].to_pylist()]


def test_lone_surrogates_become_question_marks() -> None:
    """Lone surrogates, invalid in UTF-8, become question marks in tables and in lines."""
    record = Record("a", text="rye \ud800", authors=("Ann \udfff",))
    row = arrow_table([record, Record("b")]).to_pylist()[0]
    assert ("rye ?", ["Ann ?"]) == (row["text"], row["authors"])
    assert b'"text":"rye ?"' in write_line(record)


RECORDS = [
    Record("a", text="rye\n\u2028é", n_bytes=7, confidence=0.5, elapsed_s=1.5),
    Record("b", authors=("Ann", "Ben"), error="E: none"),
]


UNPACK: dict[str, Callable[[bytes], bytes]] = {
    "jsonl": bytes,
    "jsonl.gz": gzip.decompress,
    "jsonl.zst": lambda packed: zstandard.ZstdDecompressor().decompressobj().decompress(packed),
}


@pytest.mark.parametrize("format", UNPACK)
def test_lines_are_records(format: str, tmp_path: Path) -> None:
    """Each line has the version and all columns in order, with any compression."""
    path = tmp_path / "a"
    SINKS[format].write(RECORDS, path)
    rows = [
        json.loads(line) for line in UNPACK[format](path.read_bytes()).decode().split("\n")[:-1]
    ]
    expected = [{"schema": SCHEMA} | asdict(record) for record in RECORDS]
    assert [{**row, "authors": list(row["authors"])} for row in expected] == rows
    assert list(expected[0]) == list(rows[0])


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
    table = parquet.read_table(tmp_path / "a")
    assert list(COLUMNS) == table.schema.names
    rows = table.to_pylist()
    assert [SCHEMA] * len(rows) == [row.pop("schema") for row in rows]
    assert RECORDS == [Record(**{**row, "authors": tuple(row["authors"])}) for row in rows]
    metadata = parquet.ParquetFile(tmp_path / "a").metadata
    assert SCHEMA.encode() == metadata.metadata[b"thresher.schema"]
    assert "ZSTD" == metadata.row_group(0).column(0).compression
