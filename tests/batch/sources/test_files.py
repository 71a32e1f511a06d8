"""Files, rows of tables and lists of addresses are sources."""

from __future__ import annotations

import errno
import gzip
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock

import pyarrow as pa
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from tests.batch.failing import break_file
from tests.batch.sources.reading import read
from tests.fetching.web import Web
from tests.helpers.archives import mhtml
from thresher.batch.model import Item
from thresher.batch.sources.base import (
    Entry,
    Place,
    ReadOptions,
    SourceTally,
    Unreadable,
    open_source,
)
from thresher.batch.sources.files import Members
from thresher.batch.sources.rows import entry_of, name_columns, read_html
from thresher.batch.sources.urls import BACK_OFF_S, N_TRY, FetchTask, fetch_all
from thresher.errors import FetchError, LimitError
from thresher.fetching.model import DELAY_S, Fetched

PIECES = st.lists(st.binary(max_size=3000), max_size=5)


def contents_of(path: Path, codec: str) -> tuple[list[bytes], SourceTally]:
    tally = SourceTally()
    contents = []
    with path.open("rb") as file:
        members = Members(file, codec, tally, name="a")
        while members.next_member():
            pieces = []
            while piece := members.read(1000):
                pieces.append(piece)
            contents.append(b"".join(pieces))
    return contents, tally


@given(PIECES)
def test_members_are_what_was_compressed(tmp_path_factory, pieces: list[bytes]) -> None:  # type: ignore[no-untyped-def]
    """Each member is decompressed correctly, even an empty one, with both codecs."""
    path = tmp_path_factory.mktemp("members") / "a"
    for codec, compress in (("gzip", gzip.compress), ("zstd", zstandard.compress)):
        path.write_bytes(b"".join(map(compress, pieces)))
        contents, tally = contents_of(path, codec)
        assert (pieces, []) == (contents, tally.damage)


@given(PIECES, st.integers(0, 15_000))
def test_truncation_leaves_intact_members(tmp_path_factory, pieces: list[bytes], cut: int) -> None:  # type: ignore[no-untyped-def]
    """All members before a truncation are intact, and a truncation within a member is noted."""
    path = tmp_path_factory.mktemp("members") / "a"
    members = list(map(gzip.compress, pieces))
    path.write_bytes(b"".join(members)[:cut])
    sizes = [len(b"".join(members[:n])) for n in range(len(members) + 1)]
    n_whole = sum(size <= cut for size in sizes[1:])
    contents, tally = contents_of(path, "gzip")
    assert pieces[:n_whole] == contents[:n_whole]
    assert (cut in sizes or cut > sizes[-1]) == (not tally.damage)


def test_a_member_may_be_left_half_read(tmp_path: Path) -> None:
    """The next member is read from its start, however little of this one was read."""
    path = tmp_path / "a"
    path.write_bytes(gzip.compress(b"rye" * 9999) + gzip.compress(b"oats"))
    with path.open("rb") as file:
        members = Members(file, "gzip", SourceTally(), name="a")
        assert members.next_member()
        assert b"rye" == members.read(3)
        assert 3 == members.tell()
        assert members.next_member()
        assert b"oats" == members.read(9)
        assert not members.next_member()


LINES = [json.dumps({"html": f"<p>rye {n}", "url": f"http://farm.example/{n}"}) for n in range(50)]
CONTENT = "\n".join(LINES).encode()
CODECS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "zstd": zstandard.compress,
}


@pytest.mark.parametrize("codec", CODECS)
def test_a_line_is_a_page(codec: str, tmp_path: Path) -> None:
    """Lines are read in order, with any compression, also without a final line break."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(CODECS[codec](CONTENT))
    entries, tally = read("jsonl", path, {1})
    assert [0, *range(2, 50)] == list(entries)
    assert Item("50", "<p>rye 49", "http://farm.example/49") == entries[49]
    assert (50, path.stat().st_size, []) == (tally.n_entry, tally.n_byte, tally.damage)


def test_a_bad_line_is_an_error_of_its_own(tmp_path: Path) -> None:
    """Lines that are not objects, or too long, are numbered errors; blank lines are skipped."""
    lines = [b'{"html": "<p>a"}', b"{", b"", b"[1]", b'{"html": "%s"}' % (b"a" * 9000)]
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n".join([*lines, b'{"html": "<p>b"}']))
    entries, tally = read("jsonl", path, (), ReadOptions(max_bytes=1000))
    assert ["1", "2", "4", "5", "6"] == [entry.id for entry in entries.values()]
    assert [1, 2, 3] == [n for n, entry in entries.items() if isinstance(entry, Unreadable)]
    assert (5, {"blank line": 1}) == (tally.n_entry, tally.skipped)


@pytest.mark.parametrize("codec", ["gzip", "zstd"])
def test_truncation_is_detected(codec: str, tmp_path: Path) -> None:
    """The complete lines of a truncated file are read, and the truncation is noted."""
    noise = [json.dumps({"html": str(hash((n, "rye")) ** 9)}).encode() for n in range(4000)]
    path = tmp_path / "a.jsonl"
    zipped = CODECS[codec](b"\n".join(noise))
    path.write_bytes(zipped[: len(zipped) // 2])
    entries, tally = read("jsonl", path)
    assert 1 == len(tally.damage)
    assert "it ends within" in tally.damage[0]
    assert 0 < len(entries) < 4000
    assert all(isinstance(entry, Item) for entry in entries.values())


@pytest.mark.parametrize("after_bytes", [None, 0, 600])
def test_an_error_of_the_system_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after_bytes: int | None
) -> None:
    """The tally knows of it even if who reads the file takes it for something else."""
    (tmp_path / "a").write_bytes(b"rye " * 1000)
    break_file(monkeypatch, tmp_path / "a", errno.EIO, after_bytes)
    tally = SourceTally()
    with pytest.raises(OSError, match="Input/output"), open_source(tmp_path / "a", tally) as file:
        file.read()
    assert tally.failure is not None
    assert errno.EIO == tally.failure.errno


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


def test_truncation_is_detected_of_rows(tmp_path: Path) -> None:
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


@pytest.fixture
def web(web: Web) -> Web:
    web.serve("/robots.txt", status=404)
    return web


def test_lines_are_fetched(web: Web, tmp_path: Path) -> None:
    """A page has its final URL, and its line number as id."""
    web.serve("/a", b"<p>rye")
    path = tmp_path / "a.urls"
    path.write_text(f"# pages\n\n{web.url}/a\nnothing\n")
    entries, tally = read("urls", path, (), ReadOptions(allow_private=True))
    item = entries[0]
    assert isinstance(item, Item)
    assert ("3", b"<p>rye", f"{web.url}/a") == (item.id, item.body, item.url)
    assert isinstance(entries[1], Unreadable)
    assert (2, {"blank line or comment": 2}) == (tally.n_entry, tally.skipped)


def test_done_lines_are_not_fetched(web: Web, tmp_path: Path) -> None:
    """Resuming sends no requests for finished lines."""
    path = tmp_path / "a.urls"
    path.write_text(f"{web.url}/a\n")
    assert {} == read("urls", path, {0}, ReadOptions(allow_private=True))[0]


class Servers:
    """Servers that answer immediately, and a clock that advances only by waiting."""

    def __init__(self, robots: Mapping[str, str] | None = None) -> None:
        self.robots = robots or {}
        self.now = 0.0
        self.asked: list[tuple[str, float]] = []
        self.failures: dict[str, list[Exception]] = {}
        self._lock = Lock()

    def get(self, url: str) -> Fetched:
        with self._lock:
            self.asked.append((url, self.now))
            failures = self.failures.get(url)
            if failures:
                raise failures.pop(0)
        return Fetched(url, url.encode(), "utf-8", "text/html", 200, True)

    def get_robots(self, url: str) -> Fetched:
        rules = self.robots.get(url)
        if rules is None:
            raise FetchError("none", url=url, status=404)
        return Fetched(url, rules.encode(), None, None, 200, True)

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def fetch(self, *urls: str) -> dict[int, Entry]:
        asked = [FetchTask(position, str(position), url) for position, url in enumerate(urls)]
        return dict(
            fetch_all(
                asked,
                get=self.get,
                get_robots=self.get_robots,
                clock=lambda: self.now,
                sleep=self.sleep,
            )
        )

    def times_of(self, url: str) -> list[float]:
        return [time_s for asked, time_s in self.asked if asked == url]


def busy(url: str) -> FetchError:
    return FetchError("busy", url=url, status=503)


def test_a_host_is_asked_with_pauses() -> None:
    """Requests to one host are delayed, without delaying other hosts."""
    web = Servers()
    urls = ["http://a.example/0", "https://a.example/1", "http://a.example:8080/2"]
    urls += ["http://b.example/"]
    entries = web.fetch(*urls)
    assert {0, 1, 2, 3} == {*entries}
    assert [0.0, DELAY_S, 2 * DELAY_S] == [web.times_of(url)[0] for url in urls[:3]]
    assert [0.0] == web.times_of(urls[3])


def test_robots_are_obeyed() -> None:
    """The crawl delay is respected, and disallowed pages are not fetched."""
    rules = "User-agent: *\nCrawl-delay: 9\nDisallow: /barn"
    web = Servers({"http://a.example/robots.txt": rules})
    entries = web.fetch("http://a.example/1", "http://a.example/barn", "http://a.example/2")
    assert ["http://a.example/1", "http://a.example/2"] == [url for url, _ in web.asked]
    assert [9.0] == web.times_of("http://a.example/2")
    refused = entries[1]
    assert isinstance(refused, Unreadable)
    assert "robots.txt" in refused.error


def test_busy_servers_are_asked_again() -> None:
    """Busy servers are retried a few times, with increasing delay."""
    web = Servers()
    url, hopeless = "http://a.example/", "http://b.example/"
    web.failures[url] = [busy(url), busy(url)]
    web.failures[hopeless] = [busy(hopeless) for _ in range(9)]
    entries = web.fetch(url, hopeless)
    assert isinstance(entries[0], Item)
    assert entries[1] == Unreadable("1", "FetchError: busy", hopeless)
    assert [0.0, BACK_OFF_S, 3 * BACK_OFF_S] == web.times_of(url)
    assert N_TRY == len(web.times_of(hopeless))


def test_final_answers_are_not_asked_for_again() -> None:
    """Missing or too large pages and malformed addresses are not retried."""
    web = Servers()
    lost, large = "http://a.example/lost", "http://b.example/large"
    web.failures[lost] = [FetchError("gone", url=lost, status=404)]
    web.failures[large] = [LimitError("bytes", limit=1, value=2)]
    entries = web.fetch(lost, large, "ftp://c.example/", "http://[", "rye")
    assert all(isinstance(entry, Unreadable) for entry in entries.values())
    assert [lost, large] == sorted(url for url, _ in web.asked)
