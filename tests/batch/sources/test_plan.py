"""Resolution of inputs to files, and reading of files that the system refuses to read."""

from __future__ import annotations

import errno
import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from tests.batch.archives import archive, archived, page_of
from tests.batch.failing import break_file
from thresher.batch.model import Item
from thresher.batch.sources import SOURCES
from thresher.batch.sources.base import Place, ReadOptions, SourceTally
from thresher.batch.sources.plan import find_places, read_source
from thresher.errors import UsageError

FILES = {
    "a.warc": b"",
    "b.warc.gz": b"",
    "deep/c.HTML": b"<p>",
    "d.html": b"<p>rye",
    "e.jsonl.zst": b"",
    "f.parquet": b"",
    "g.urls": b"",
    "notes.md": b"rye",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        path = tmp_path / "in" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(content)
    return tmp_path / "in"


def kinds_of(*inputs: str, kind: str | None = None) -> list[tuple[str, str]]:
    return [(place.kind, place.name) for place in find_places(inputs, kind)]


def test_a_folder_is_all_that_is_named_like_pages(folder: Path) -> None:
    """Each archive is a source, all HTML files are one; other files are ignored."""
    places = list(find_places(["in"]))
    expected = [
        *(("warc", "in/a.warc"), ("warc", "in/b.warc.gz"), ("jsonl", "in/e.jsonl.zst")),
        *(("parquet", "in/f.parquet"), ("urls", "in/g.urls"), ("html", "in")),
    ]
    assert expected == [(place.kind, place.name) for place in places]
    assert Place("html", "in", ("in/d.html", "in/deep/c.HTML"), 9) == places[-1]


def test_patterns_are_expanded(folder: Path) -> None:
    """Patterns that the shell did not expand are expanded, recursively too."""
    assert [("html", "in/**/*.HTML")] == kinds_of("in/**/*.HTML")
    assert [("warc", "in/a.warc"), ("warc", "in/b.warc.gz")] == kinds_of("in/*.warc*")


def test_a_kind_that_is_given_goes_for_everything(folder: Path) -> None:
    """An explicit kind overrides file names, also in folders."""
    assert [("jsonl", "in/notes.md")] == kinds_of("in/notes.md", kind="jsonl")
    (place,) = find_places(["in"], "html")
    assert len(FILES) == len(place.paths)


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (gzip.compress(b"WARC/1.0\r\n", mtime=0), "warc"),
        (b'\xef\xbb\xbf {"html"', "jsonl"),
        (b"\n<!doctype", "html"),
    ],
)
def test_kind_is_detected_by_first_bytes(start: bytes, kind: str, tmp_path: Path) -> None:
    """The kind of a file without a suffix is detected by its first bytes."""
    (tmp_path / "input").write_bytes(start)
    assert [(kind, str(tmp_path / "input"))] == kinds_of(str(tmp_path / "input"))


@pytest.mark.parametrize("kind", SOURCES)
def test_a_row_of_the_table_is_all_that_a_source_needs(kind: str, tmp_path: Path) -> None:
    """A file is of a kind if it has one of its suffixes or, with another one, its first bytes."""
    source = SOURCES[kind]
    contents = {f"named{suffix}": b"" for suffix in source.suffixes}
    contents |= {f"{n}.data": start for n, start in enumerate(source.starts)}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
        assert [kind] == [place.kind for place in find_places([str(tmp_path / name)])]


def test_a_list_names_files_beside_it_or_here(folder: Path) -> None:
    """Paths are relative to the list or the working directory; # begins a comment."""
    content = gzip.compress(b"# crawl\na.warc\n\nin/b.warc.gz\n")
    (folder / "warc.paths.gz").write_bytes(content)
    expected = [("warc", "in/a.warc"), ("warc", "in/b.warc.gz")]
    assert expected == kinds_of("in/warc.paths.gz")


def test_unreadable_inputs_raise_errors(folder: Path) -> None:
    """Missing files, unmatched patterns, incomplete lists and unknown kinds are errors."""
    (folder / "bad.paths").write_text("missing.warc\n")
    (folder / "empty").mkdir()
    for name in ("gone.warc", "in/*.warcs", "in/bad.paths", "in/notes.md", "in/empty"):
        with pytest.raises(UsageError, match=name.split("/")[-1].replace("*", r"\*")):
            list(find_places([name]))


def test_a_list_of_lists_is_an_error(folder: Path) -> None:
    """The files that an inner list names would not be read."""
    (folder / "inner.paths").write_text("a.warc\n")
    (folder / "outer.paths").write_text("inner.paths\n")
    with pytest.raises(UsageError, match=r"names inner\.paths, which is itself a list"):
        list(find_places(["in/outer.paths"]))


def test_a_folder_that_cannot_be_listed_is_an_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pages below it would be missing without a word."""
    scan = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("deep"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(UsageError, match="in/deep: Permission denied"):
        list(find_places(["in"]))


def test_a_link_to_nothing_is_planned(folder: Path) -> None:
    """Its file may be missing only for a moment; what is no file at all is left out."""
    (folder / "h.warc").symlink_to(folder / "gone.warc")
    os.mkfifo(folder / "i.warc")
    assert ("warc", "in/h.warc") in kinds_of("in")
    assert ("warc", "in/i.warc") not in kinds_of("in")


def test_a_list_that_cannot_be_read_is_an_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where reading fails in the middle."""
    (folder / "a.paths").write_text("a.warc\n" * 500)
    break_file(monkeypatch, Path("in/a.paths"), errno.EIO, 2000)
    with pytest.raises(UsageError, match=r"in/a\.paths: Input/output error"):
        list(find_places(["in/a.paths"]))


def test_a_damaged_beginning_has_no_kind(tmp_path: Path) -> None:
    """A file without a suffix that is no whole gzip is an error of the command line."""
    for content in (b"\x1f\x8b\x08\x00", gzip.compress(b"WARC/1.0")[:12] + b"\xff" * 9):
        (tmp_path / "input").write_bytes(content)
        with pytest.raises(UsageError, match="cannot be detected"):
            list(find_places([str(tmp_path / "input")]))


def test_many_pages_are_several_sources(tmp_path: Path) -> None:
    """A folder of 1,200 pages becomes two sources, without losing a page."""
    for number in range(1200):
        (tmp_path / f"{number}.html").write_bytes(b"")
    places = list(find_places([str(tmp_path)]))
    assert [1000, 200] == [len(place.paths) for place in places]
    assert 1200 == len({path for place in places for path in place.paths})


N = 400


def write_lines(path: Path, pack: Callable[[bytes], bytes]) -> None:
    lines = [json.dumps({"html": page_of(number).decode()}) for number in range(N)]
    path.write_bytes(pack("\n".join(lines).encode()))


def write_table(path: Path) -> None:
    table = pa.table({"html": [page_of(n) + os.urandom(99).hex().encode() for n in range(N)]})
    parquet.write_table(table, path, row_group_size=50)


SOURCE_FILES: dict[str, tuple[str, Callable[[Path], object]]] = {
    "a.warc": ("warc", lambda path: path.write_bytes(b"".join(archived(range(N))))),
    "a.warc.gz": ("warc", lambda path: path.write_bytes(archive(range(N)))),
    "whole.warc.gz": (
        "warc",
        lambda path: path.write_bytes(gzip.compress(b"".join(archived(range(N))))),
    ),
    "a.warc.zst": (
        "warc",
        lambda path: path.write_bytes(b"".join(map(zstandard.compress, archived(range(N))))),
    ),
    "a.jsonl": ("jsonl", lambda path: write_lines(path, bytes)),
    "a.jsonl.gz": ("jsonl", lambda path: write_lines(path, gzip.compress)),
    "a.jsonl.zst": ("jsonl", lambda path: write_lines(path, zstandard.compress)),
    "a.parquet": ("parquet", write_table),
}


def read(path: Path, kind: str) -> tuple[dict[int, object], SourceTally]:
    tally = SourceTally()
    place = Place(kind, path.name, (str(path),), 0)
    return dict(read_source(place, ReadOptions(), tally, lambda _: False)), tally


@pytest.mark.parametrize(
    ("name", "code"), [("a.warc", errno.ENOENT), *((name, errno.EIO) for name in SOURCE_FILES)]
)
def test_a_file_that_cannot_be_opened_is_unread(
    name: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the reason, it is no damage of the file, and no page of it is made up."""
    kind, write = SOURCE_FILES[name]
    write(tmp_path / name)
    break_file(monkeypatch, tmp_path / name, code)
    entries, tally = read(tmp_path / name, kind)
    assert ({}, []) == (entries, tally.damage)
    assert [f"{name}: {os.strerror(code)}"] == tally.unread


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7])
@pytest.mark.parametrize("name", SOURCE_FILES)
def test_reading_ends_where_the_system_fails(
    name: str, share: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pages before are those of an undisturbed reading, and nothing is taken for damage."""
    kind, write = SOURCE_FILES[name]
    path = tmp_path / name
    write(path)
    expected, _ = read(path, kind)
    assert N == len(expected)
    break_file(monkeypatch, path, errno.EIO, int(path.stat().st_size * share))
    entries, tally = read(path, kind)
    assert len(entries) < N
    assert entries == {position: expected[position] for position in entries}
    assert all(isinstance(entry, Item) for entry in entries.values())
    (what,) = tally.unread
    assert what.startswith(f"{name}: Input/output error")


def test_a_list_of_addresses_that_breaks_off_is_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No address after the failure is forgotten: the list is read again."""
    path = tmp_path / "a.urls"
    path.write_text("# farm\n" * 1000)
    break_file(monkeypatch, path, errno.EIO, 2000)
    entries, tally = read(path, "urls")
    assert ({}, ["a.urls: Input/output error"]) == (entries, tally.unread)
