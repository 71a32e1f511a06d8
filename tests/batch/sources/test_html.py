"""HTML files."""

from __future__ import annotations

from pathlib import Path

from tests.helpers.archives import mhtml, webarchive
from thresher.batch.model import Item
from thresher.batch.sources.base import Place, ReadOptions, SourceTally, Unreadable
from thresher.batch.sources.html import read_html


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
