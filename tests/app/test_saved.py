"""The saved list in its file."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from thresher.app import saved as module
from thresher.app import saved_changes
from thresher.app.engine import PageSource
from thresher.app.saved import SAVED_FILE, SavedList
from thresher.app.saved_changes import change_pages, list_tags, set_tags
from thresher.errors import LimitError, UsageError
from thresher.support.databases import open_database

RYE = PageSource(b"<p>Rye.", "https://farm.example/rye", "utf-8", is_fetched=True)
OATS = PageSource("<p>Oats\udc80.", name="oats.html")
KURA = PageSource("<p>蔵の鍵", name="kura.html")


@pytest.fixture
def saved(tmp_path: Path) -> SavedList:
    """A list of three pages."""
    made = SavedList(tmp_path / SAVED_FILE)
    made.save(RYE, "Rye on sand", "The old rye stands in any wind. Café by the mill.")
    made.save(OATS, "Oats", "Oats are sown in March_April.")
    made.save(KURA, "蔵", "祖母の家の裏には小さな蔵があった。")
    return made


def found(saved: SavedList, words: str = "", tag: str = "") -> list[str]:
    n_found, pages = saved.search(words, tag)
    assert n_found == len(pages)
    return [page.title for page in pages]


def number_of(saved: SavedList, source: PageSource) -> int | None:
    page = saved.find(source)
    return page.id if page else None


@pytest.mark.parametrize("has_fts5", [True, False])
def test_pages_are_found(saved: SavedList, monkeypatch: pytest.MonkeyPatch, has_fts5: bool) -> None:
    """All words must be there, beginnings of words count, and signs do no harm."""
    if not has_fts5:
        monkeypatch.setattr(module, "_has_full_text", lambda db: False)
    assert ["蔵", "Oats", "Rye on sand"] == found(saved)
    assert ["Rye on sand"] == found(saved, "WIND any")
    assert ["Rye on sand"] == found(saved, 'stand" farm.example')
    assert ["蔵"] == found(saved, "小さな蔵")
    assert [] == found(saved, "rye oats") == found(saved, "%")
    assert ["Oats"] == found(saved, "march_a")
    saved.save(PageSource("<p>Barley."), "Barley", "Rye has come up between the barley.")
    assert ["Barley", "Rye on sand"] == found(saved, "rye")


def test_excerpts_begin_with_the_text(saved: SavedList) -> None:
    """The title stands beside an excerpt, which does not repeat it."""
    saved.save(PageSource("<p>Barley."), "Barley", "Barley\n\nIt is sown early.")
    assert "It is sown early." == saved.search("barley", "")[1][0].excerpt


def test_pages_come_back_as_they_were_received(saved: SavedList) -> None:
    """Source and number survive; saving again changes nothing."""
    numbers = [number_of(saved, source) for source in (RYE, OATS)]
    assert [RYE, OATS] == [saved.source(number or 0) for number in numbers]
    assert numbers[0] == saved.save(RYE, "Another title", "")
    assert "Rye on sand" in found(saved)
    assert saved.source(99) is None


def test_deleting_can_be_undone_for_a_day(
    saved: SavedList, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deleted page is in no search, comes back with its tags, and is gone after a day."""
    number = number_of(saved, RYE)
    assert number
    set_tags(saved, number, ["grain"], was=())
    assert ["Rye on sand"] == found(saved, "rye", "GRAIN")
    change_pages(saved, [number], "delete")
    assert [] == found(saved, "rye")
    assert ({}, None) == (list_tags(saved), number_of(saved, RYE))
    with pytest.raises(UsageError, match="deleted"):
        set_tags(saved, number, ["wheat"], was=["grain"])
    change_pages(saved, [number], "restore")
    assert ["Rye on sand"] == found(saved, "rye", "grain")
    change_pages(saved, [number], "delete")
    assert number == saved.save(RYE, "Rye again", "It was saved anew.")
    assert ["Rye again"] == found(saved, "anew", "grain")
    assert [] == found(saved, "mill")
    change_pages(saved, [number], "delete")
    monkeypatch.setattr(saved_changes, "UNDO_S", -1.0)
    change_pages(saved, [0], "delete")
    with pytest.raises(UsageError, match="put back"):
        change_pages(saved, [number], "restore")


def test_an_older_list_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of a list without shelves are unread and listed, and can be changed."""
    path = tmp_path / SAVED_FILE
    with monkeypatch.context() as patch:
        patch.setattr(module, "_SCHEMA", module._SCHEMA[:2])
        module.make_saved_database(path)
    with open_database(path) as db:
        db.execute(
            "INSERT INTO page (identity, url, name, title, host, text, body, is_decoded, is_public,"
            " is_fetched, saved_at) VALUES (?, ?, '', 'Rye', '', 'Old rye.', ?, 0, 1, 1, 0)",
            (RYE.url, RYE.url, zlib.compress(b"<p>Rye.")),
        )
    saved = SavedList(path)
    assert ["Rye"] == [page.title for page in saved.search("rye", shelf="unread")[1]]
    assert (1,) == change_pages(saved, [1], "archive")
    assert ["Rye"] == [page.title for page in saved.search(shelf="archive")[1]]


def test_the_list_is_bounded(saved: SavedList, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full list says so."""
    monkeypatch.setattr(module, "_MAX_PAGES", 3)
    with pytest.raises(LimitError, match="saved pages: 4, the limit is 3"):
        saved.save(PageSource("<p>More"), "More", "")
