"""Rows and files of pages: JSON Lines, Parquet, HTML."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from tests.batch.sources.reading import read
from tests.helpers.archives import mhtml, webarchive
from thresher.batch.model import Item
from thresher.batch.sources.base import Place, ReadOptions, SourceTally, Unreadable
from thresher.batch.sources.rows import entry_of, name_columns, read_html


def test_columns_can_be_named_otherwise() -> None:
    """Columns that are not mapped have their default names."""
    columns = name_columns({"html": "content"})
    row = {"id": 7, "content": "<p>rye", "url": "http://farm.example/", "html": "no", "more": 1}
    assert Item("7", "<p>rye", "http://farm.example/") == entry_of(row, columns, 3)


def test_a_row_without_an_id_has_its_number() -> None:
    """A row without an id is numbered; bytes are kept unchanged, with the charset of the row."""
    row = {"html": b"<p>\xe9", "charset": "latin-1"}
    assert Item("3", b"<p>\xe9", None, "latin-1") == entry_of(row, name_columns({}), 3)


def test_a_row_without_a_page_is_an_error() -> None:
    """A missing or non-text page is an error that says which."""
    missing = entry_of({"id": "a", "url": "u"}, name_columns({}), 1)
    assert Unreadable("a", "InputError: the row has no html", "u") == missing
    number = entry_of({"html": 5}, name_columns({}), 1)
    assert Unreadable("1", "InputError: the row has a int as html") == number


def test_each_file_is_a_page(tmp_path: Path) -> None:
    """The id of a page is its path; a missing file keeps its position, and is noted as unread."""
    names = [str(tmp_path / name) for name in ("a.html", "gone.html", "b.html", "c.html")]
    for name in (names[0], names[2], names[3]):
        Path(name).write_bytes(b"<p>" + name[-6:].encode())
    tally = SourceTally()
    place = Place("html", "a folder", tuple(names), 0)
    entries = dict(read_html(place, ReadOptions(max_bytes=5), tally, {2}.__contains__))
    assert [0, 3] == list(entries)
    assert Item(names[0], b"<p>a.h") == entries[0]
    assert [f"{names[1]}: No such file or directory"] == tally.unread
    assert (4, 12) == (tally.n_entry, tally.n_byte)


def test_archive_is_its_page(tmp_path: Path) -> None:
    """The page of an MHTML file comes with its address and charset; one without a page fails."""
    names = [str(tmp_path / name) for name in ("a.mhtml", "b.mht")]
    Path(names[0]).write_bytes(mhtml("<p>Mühle", charset="windows-1252", encoding="base64"))
    Path(names[1]).write_bytes(mhtml("x", kind="text/plain"))
    place = Place("html", "a folder", tuple(names), 0)
    first, second = (
        entry for _, entry in read_html(place, ReadOptions(), SourceTally(), lambda _: False)
    )
    page = "<p>Mühle".encode("windows-1252")
    assert Item(names[0], page, "https://mill.example/1", "windows-1252") == first
    assert isinstance(second, Unreadable)
    assert "without a part of type text/html" in second.error


def test_archive_of_safari_is_its_page(tmp_path: Path) -> None:
    """The page of a webarchive comes with its address and charset, too."""
    path = tmp_path / "a.webarchive"
    path.write_bytes(webarchive("<p>Mühle", charset="windows-1252"))
    place = Place("html", "a folder", (str(path),), 0)
    ((_, entry),) = read_html(place, ReadOptions(), SourceTally(), lambda _: False)
    page = "<p>Mühle".encode("windows-1252")
    assert Item(str(path), page, "https://mill.example/1", "windows-1252") == entry


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
