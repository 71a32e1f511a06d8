"""Exports of other programs are read, whatever is in them."""

from __future__ import annotations

import io
import json
from typing import Any, Final
from zipfile import ZipFile

import pytest

from tests.helpers.data import read_data
from thresher.app import imports
from thresher.app.imports import LIST_FILE, ImportedFeed, ImportedPage, read_imports
from thresher.app.saved_changes import NewHighlight
from thresher.errors import InputError, LimitError

RYE: Final = "https://farm.example/rye"
T: Final = 1_600_000_000.0
EXPORTS: Final = ("pocket.csv", "pocket.html", "instapaper.csv", "readwise.csv")
EXPECTED: Final = [
    ImportedPage(RYE, "Rye, winter", ("grain", "To cite"), T),
    ImportedPage("https://farm.example/oats", "Oats", (), T, is_archived=True),
]
WALLABAG: Final[list[dict[str, Any]]] = [
    {
        **{"is_archived": 0, "is_starred": 1, "tags": ["grain"], "title": "Rye & oats"},
        **{"url": RYE, "created_at": "2020-09-13T12:26:40+00:00"},
        "content": "<p>Rye is sown in autumn, and stands green through the winter.</p>",
        "annotations": [{"text": "Which?", "quote": "stands green", "ranges": []}],
    },
    {"url": "https://farm.example/oats", "title": None, "content": "", "tags": [{"label": "x"}]},
]


@pytest.mark.parametrize("name", EXPORTS)
def test_lists_of_other_programs_are_read(name: str) -> None:
    """Address, title, tags, time and place of each page; what has no address is counted."""
    found = read_imports(read_data(f"exports/{name}").encode())
    assert EXPECTED == [*found.pages]
    assert 1 == found.n_left_out


def test_places_progress_and_selections_are_kept() -> None:
    """Folders become tags, stars favourites, and selections highlights; what is too long is cut."""
    head = "URL,Title,Selection,Folder,Timestamp,Reading progress\n"
    rows = f"{RYE},Rye,in any wind,Farms,x,0.4\n{RYE},Rye,,Starred,,7\n"
    farms, starred = read_imports((head + rows).encode()).pages
    highlight = NewHighlight("in any wind", "", "", 0)
    assert farms == ImportedPage(RYE, "Rye", ("Farms",), None, 0.4, highlights=((highlight, ""),))
    assert starred == ImportedPage(RYE, "Rye", progress=1.0, is_favourite=True)
    found = read_imports(f"url,title\n{RYE},{'x' * 5000}\n{RYE}{'x' * 9000},Long\n".encode())
    assert (1, [1000]) == (found.n_left_out, [len(page.title) for page in found.pages])


def test_wallabag_has_pages() -> None:
    """An entry with content is a page with its text and annotations."""
    rye, oats = read_imports(json.dumps(WALLABAG).encode()).pages
    assert (True, ("grain",), T) == (rye.is_favourite, rye.tags, rye.saved_at)
    assert "stands green through the winter" in rye.text
    assert rye.source and "<title>Rye &amp; oats</title>" in rye.source.body
    assert ((NewHighlight("stands green", "", "", 0), "Which?"),) == rye.highlights
    assert (None, ("x",), "") == (oats.source, oats.tags, oats.title)
    listed = {"_embedded": {"items": WALLABAG}}
    assert 2 == len(read_imports(json.dumps(listed).encode()).pages)


def test_bookmarks_have_folders() -> None:
    """Folders that people made are tags, those of the browser are not."""
    rye, oats = read_imports(read_data("exports/bookmarks.html").encode()).pages
    assert ImportedPage(RYE, "Rye & oats", ("grain",), T) == rye
    assert ("Oats", ("Farm old",)) == (oats.title, oats.tags)


def test_opml_has_feeds() -> None:
    """Each with its title and the folder that it is in."""
    expected = (
        ImportedFeed("https://mill.example/feed", "Mill", "Farms"),
        ImportedFeed("https://farm.example/feed", "Rye & oats"),
    )
    assert expected == read_imports(read_data("exports/feeds.opml").encode()).feeds


def packed(**files: str) -> bytes:
    file = io.BytesIO()
    with ZipFile(file, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("_", "."), text)
    return file.getvalue()


def test_archives_hold_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """All tables of an archive are read, unless it is too large when it is unpacked."""
    tables = [read_data(f"exports/{name}.csv") for name in ("pocket", "instapaper")]
    body = packed(part1_csv=tables[0], part2_csv=tables[1], notes_txt="x")
    assert EXPECTED * 2 == [*read_imports(body).pages]
    monkeypatch.setattr(imports, "_MAX_UNPACKED_BYTES", 100)
    with pytest.raises(LimitError, match="unpacked bytes"):
        read_imports(body)


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"\xff\xfe\x00", b"PK\x03\x04 broken", b"{", b"[1]", b'{"a": 1}', b"[" * 100_000),
        *(b"<p>no link", b"Highlight,Book Title\nx,y", b"a" * 200_000, b'url\n"' + b"x" * 200_000),
        *(packed(**{LIST_FILE: text}) for text in ("", "[]", '{"pages": [{}]}', '{"pages": 1}')),
        packed(saved_json='{"pages": [{"url": {}, "file": "x"}]}'),
    ],
)
def test_what_is_no_export_is_refused(body: bytes) -> None:
    """Anything else is an error with a reason, or holds nothing."""
    try:
        assert () == read_imports(body).pages
    except InputError as error:
        assert str(error)
