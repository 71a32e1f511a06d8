"""What inputs stand for."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from thresher.batch.sources import SOURCES
from thresher.batch.sources.base import Place
from thresher.batch.sources.plan import KINDS, find_places
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
    """Archives are a source each, its HTML is one; what is something else is left out."""
    places = list(find_places(["in"]))
    expected = [
        *(("warc", "in/a.warc"), ("warc", "in/b.warc.gz"), ("jsonl", "in/e.jsonl.zst")),
        *(("parquet", "in/f.parquet"), ("urls", "in/g.urls"), ("html", "in")),
    ]
    assert expected == [(place.kind, place.name) for place in places]
    assert Place("html", "in", ("in/d.html", "in/deep/c.HTML"), 9) == places[-1]


def test_patterns_are_expanded(folder: Path) -> None:
    """Also those that a shell has left as they are, through all folders below."""
    assert [("html", "in/**/*.HTML")] == kinds_of("in/**/*.HTML")
    assert [("warc", "in/a.warc"), ("warc", "in/b.warc.gz")] == kinds_of("in/*.warc*")


def test_a_kind_that_is_given_goes_for_everything(folder: Path) -> None:
    """Names count no more then, in a folder neither."""
    assert [("jsonl", "in/notes.md")] == kinds_of("in/notes.md", kind="jsonl")
    (place,) = find_places(["in"], "html")
    assert len(FILES) == len(place.paths)


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"WARC/1.0\r\n", "warc"),
        (gzip.compress(b"WARC/1.0\r\n", mtime=0), "warc"),
        (b'\xef\xbb\xbf {"html"', "jsonl"),
        (b"PAR1", "parquet"),
        (b"\n<!doctype", "html"),
        (b"https://farm.example/", "urls"),
    ],
)
def test_first_bytes_tell_what_names_do_not(start: bytes, kind: str, tmp_path: Path) -> None:
    """A file without a suffix is what it begins like."""
    (tmp_path / "input").write_bytes(start)
    assert [(kind, str(tmp_path / "input"))] == kinds_of(str(tmp_path / "input"))


def test_a_list_names_files_beside_it_or_here(folder: Path) -> None:
    """Paths may be from where the list is, or from where the command runs; # begins a comment."""
    content = gzip.compress(b"# crawl\na.warc\n\nin/b.warc.gz\n")
    (folder / "warc.paths.gz").write_bytes(content)
    expected = [("warc", "in/a.warc"), ("warc", "in/b.warc.gz")]
    assert expected == kinds_of("in/warc.paths.gz")


def test_what_cannot_be_read_is_said_at_once(folder: Path) -> None:
    """Nothing there, nothing that matches, a list with a gap, a file that could be anything."""
    (folder / "bad.paths").write_text("missing.warc\n")
    (folder / "empty").mkdir()
    for name in ("gone.warc", "in/*.warcs", "in/bad.paths", "in/notes.md", "in/empty"):
        with pytest.raises(UsageError, match=name.split("/")[-1].replace("*", r"\*")):
            list(find_places([name]))


def test_many_pages_are_several_sources(tmp_path: Path) -> None:
    """A folder of 1,200 pages is two sources, and no page is left out."""
    for number in range(1200):
        (tmp_path / f"{number}.html").write_bytes(b"")
    places = list(find_places([str(tmp_path)]))
    assert [1000, 200] == [len(place.paths) for place in places]
    assert 1200 == len({path for place in places for path in place.paths})


def test_kinds_are_those_that_can_be_read() -> None:
    """A list is no source itself, but all others are."""
    assert {*KINDS} == {*SOURCES, "paths"}
