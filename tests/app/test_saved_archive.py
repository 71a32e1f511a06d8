"""The saved list is exported whole, and imported into another one."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from thresher.app import saved as module
from thresher.app.engine import PageSource
from thresher.app.imports import ImportedPage, read_imports
from thresher.app.saved import SAVED_FILE, SavedList
from thresher.app.saved_changes import (
    change_pages,
    keep_pictures,
    list_wanted,
    load_pictures,
    set_progress,
    set_tags,
)
from thresher.app.saved_files import add_pages, write_archive, write_bookmarks
from thresher.app.saved_highlights import (
    NewHighlight,
    add_highlight,
    list_highlights,
    note_highlight,
)
from thresher.errors import LimitError

RYE = PageSource(b"<p>Rye.\xff", "https://farm.example/rye", "utf-8", is_fetched=True)
OATS = PageSource("<p>Oats\udc80.", name="oats.html")
LINK = ImportedPage("https://farm.example/<x>&y", "Rye < oats", ("a & b",), 1.6e9)


@pytest.fixture
def saved(tmp_path: Path) -> SavedList:
    """A list of two pages and a link, with all that a list can know of them."""
    made = SavedList(tmp_path / SAVED_FILE)
    rye = made.save(RYE, "Rye on sand", "The old rye stands in any wind.")
    made.save(OATS, "Oats", "Oats are sown in March.")
    set_tags(made, rye, ["grain"], was=())
    set_progress(made, rye, 0.4)
    change_pages(made, [rye], "favourite")
    note_highlight(made, add_highlight(made, rye, NewHighlight("old rye", "The ", "", 4)), "Why?")
    keep_pictures(made, rye, {"https://farm.example/rye.png": b"\x89PNG"})
    add_pages(made, [LINK], is_wanted=True)
    return made


def test_an_archive_makes_the_same_list(saved: SavedList, tmp_path: Path) -> None:
    """Pages, tags, progress, highlights, notes and pictures are there again; once, not twice."""
    file = io.BytesIO()
    write_archive(saved, file)
    pages = read_imports(file.getvalue()).pages
    other = SavedList(tmp_path / "other.sqlite")
    assert (3, 0) == add_pages(other, pages)
    assert (0, 3) == add_pages(other, pages)
    for sort in ("title", "newest"):
        first, second = (each.search(sort=sort)[1] for each in (saved, other))
        known = ("title", "url", "tags", "progress", "is_favourite", "is_link", "n_picture")
        assert [[getattr(page, name) for name in known] for page in first] == [
            [getattr(page, name) for name in known] for page in second
        ]
    rye = other.find(RYE)
    assert rye and RYE == other.source(rye.id) and other.find(OATS)
    (highlight,) = list_highlights(other, rye.id)
    assert ("old rye", "The ", "Why?") == (highlight.quote, highlight.before, highlight.note)
    assert {"https://farm.example/rye.png": b"\x89PNG"} == load_pictures(other, rye.id)


def test_links_are_wanted_and_found(saved: SavedList) -> None:
    """A link is there with its tags and time; one that was deleted comes back."""
    (wanted,) = list_wanted(saved)
    assert (LINK.url, True) == (wanted.url, wanted.is_link)
    assert ["Rye < oats"] == [page.title for page in saved.search("oats", "a & b")[1]]
    assert "Rye < oats" == saved.search(sort="oldest")[1][0].title
    change_pages(saved, [wanted.id], "delete")
    assert (1, 0) == add_pages(saved, [LINK])


def test_bookmarks_are_read_back(saved: SavedList) -> None:
    """Pages with an address are links with their tags and times; signs do no harm."""
    text = "".join(write_bookmarks(saved.search()[1]))
    rye, link = read_imports(text.encode()).pages
    assert ("Rye on sand", RYE.url, ("grain",)) == (rye.title, rye.url, rye.tags)
    assert LINK == link


def test_a_full_list_takes_nothing(saved: SavedList, monkeypatch: pytest.MonkeyPatch) -> None:
    """An import that does not fit leaves the list as it was."""
    monkeypatch.setattr(module, "_MAX_PAGES", 4)
    more = [ImportedPage(f"https://farm.example/{n}", "") for n in range(2)]
    with pytest.raises(LimitError, match="saved pages"):
        add_pages(saved, more)
    assert 3 == saved.count()["all"]
    assert (1, 0) == add_pages(saved, more[:1])
