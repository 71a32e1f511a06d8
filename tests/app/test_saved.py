"""The saved list in its file, changes of it, tags and highlights."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from thresher.app import saved as module
from thresher.app import saved_changes
from thresher.app.engine import PageSource
from thresher.app.saved import SAVED_FILE, SORTS, SavedList
from thresher.app.saved_changes import (
    CHANGES,
    NewHighlight,
    add_highlight,
    add_tags,
    change_pages,
    list_highlights,
    list_tags,
    note_highlight,
    parse_tags,
    remove_highlight,
    restore_highlight,
    set_progress,
    set_tags,
    write_highlights,
)
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


@pytest.mark.parametrize("has_fts5", [True, False])
def test_pages_are_found(saved: SavedList, monkeypatch: pytest.MonkeyPatch, has_fts5: bool) -> None:
    """All words must be there, beginnings count, signs do no harm; excerpts are of texts."""
    if not has_fts5:
        monkeypatch.setattr(module, "_has_full_text", lambda db: False)
    assert ["蔵", "Oats", "Rye on sand"] == found(saved)
    assert ["Rye on sand"] == found(saved, "WIND any")
    assert ["Rye on sand"] == found(saved, 'stand" farm.example')
    assert ["蔵"] == found(saved, "小さな蔵")
    assert [] == found(saved, "rye oats") == found(saved, "%")
    assert ["Oats"] == found(saved, "march_a")
    saved.save(PageSource("<p>Barley."), "Barley", "Barley\n\nRye has come up between the barley.")
    assert ["Barley", "Rye on sand"] == found(saved, "rye")
    assert "Rye has come up between the barley." == saved.search("barley", "")[1][0].excerpt


def test_deleting_can_be_undone_for_a_day(
    saved: SavedList, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deleted page is in no search, comes back with its tags, and is gone after a day."""
    number = saved.save(RYE, "Another title", "which is not kept")
    set_tags(saved, number, ["grain"], was=())
    assert ["Rye on sand"] == found(saved, "rye", "GRAIN")
    change_pages(saved, [number], "delete")
    assert [] == found(saved, "rye")
    assert ({}, None) == (list_tags(saved), saved.find(RYE))
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
        SavedList(path)
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


@pytest.fixture
def three(tmp_path: Path) -> SavedList:
    """A list of three pages, numbered from 1, each longer than the one before."""
    made = SavedList(tmp_path / SAVED_FILE)
    for number, title in enumerate(("rye", "Barley", "oats"), 1):
        source = PageSource(f"<p>{title}", f"https://{title}.example/", is_fetched=True)
        made.save(source, title, "It is sown early. " * 150 * number)
    return made


def on(three: SavedList, shelf: str, sort: str = "oldest") -> list[int]:
    return [page.id for page in three.search(shelf=shelf, sort=sort)[1]]


def test_pages_move_between_shelves(three: SavedList) -> None:
    """A change says which pages it changed, and its undo leaves the list as it was."""
    assert (1, 3) == change_pages(three, [1, 3, 3, 9], "archive")
    assert (2,) == change_pages(three, [1, 2], "archive")
    assert ([], [1, 2, 3]) == (on(three, "list"), on(three, "archive"))
    change_pages(three, [2], "unarchive")
    change_pages(three, [1, 2], "favourite")
    assert ([2], [1, 2]) == (on(three, "unread"), on(three, "favourites"))
    expected = {"list": 1, "unread": 1, "started": 0, "favourites": 2, "archive": 2, "all": 3}
    assert expected == three.count()
    for name, change in CHANGES.items():
        if change.undo and name != "restore":
            before = three.search()
            change_pages(three, change_pages(three, [1, 2, 3], name), change.undo)
            assert before == three.search(), name
    with pytest.raises(UsageError, match="unknown change"):
        change_pages(three, [1], "burn")


def test_progress_is_kept(three: SavedList) -> None:
    """The last place counts, the last lines are the end, and what was read stays read."""
    set_progress(three, 1, 0.7)
    set_progress(three, 1, 0.4)
    set_progress(three, 2, 0.98)
    set_progress(three, 2, 0.1)
    assert [0.4, 1.0, 0.0] == [page.progress for page in three.search(sort="oldest")[1]]
    assert ([1], [3]) == (on(three, "started"), on(three, "unread"))
    change_pages(three, [2], "unread")
    set_progress(three, 2, -3)
    assert [2, 3] == on(three, "unread")
    with pytest.raises(UsageError, match="from 0 to 1"):
        set_progress(three, 1, float("nan"))


def test_pages_are_sorted(three: SavedList) -> None:
    """By age, length, title and site; an unknown order or shelf is the usual one."""
    found = {sort: on(three, "all", sort) for sort in SORTS}
    assert [1, 2, 3] == found["oldest"] == found["shortest"]
    assert [3, 2, 1] == found["newest"] == found["longest"] == on(three, "?", "?")
    assert [2, 3, 1] == found["title"] == found["site"]


def test_tags_are_added_to_many(three: SavedList) -> None:
    """Pages keep their tags, read once from a line; too many or too long ones change nothing."""
    add_tags(three, [1], ["grain"])
    add_tags(three, [1, 2], ["GRAIN", "early"])
    expected = [("early", "grain"), ("early", "GRAIN"), ()]
    assert expected == [page.tags for page in three.search(sort="oldest")[1]]
    with pytest.raises(UsageError, match="20 tags"):
        add_tags(three, [3, 1], [f"tag {n}" for n in range(19)])
    assert expected == [page.tags for page in three.search(sort="oldest")[1]]
    assert ("Farming", "to cite") == parse_tags(" Farming, to  cite,, farming ")
    with pytest.raises(UsageError, match="20 tags, these are 21"):
        parse_tags(",".join(map(str, range(21))))
    with pytest.raises(UsageError, match="50 characters"):
        parse_tags("x" * 51)


SAND = PageSource(b"<p>Rye.", "https://farm.example/a b(1", is_fetched=True)
LAST = NewHighlight("in any *wind*.", "stands ", "", 20)
FIRST = NewHighlight(" 1. The old rye\n<b>stands\udc80 ", "x" * 200, "in", 0)


@pytest.fixture
def one(tmp_path: Path) -> SavedList:
    """A list of one page."""
    made = SavedList(tmp_path / SAVED_FILE)
    made.save(SAND, "Rye [on] sand", "The old rye stands in any wind.")
    return made


def test_highlights_are_kept_with_their_page(
    one: SavedList, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each passage once, in the order of the text; they survive deleting and saving the page.

    A removed highlight comes back, until a day has passed.
    """
    number = add_highlight(one, 1, LAST)
    remove_highlight(one, number)
    assert () == list_highlights(one, 1)
    restore_highlight(one, number)
    assert number == add_highlight(one, 1, LAST) != add_highlight(one, 1, FIRST)
    change_pages(one, [1], "delete")
    with pytest.raises(UsageError, match="deleted"):
        add_highlight(one, 1, LAST)
    one.save(SAND, "Rye", "")
    first, last = list_highlights(one, 1)
    assert ("1. The old rye\n<b>stands?", "x" * 100) == (first.quote, first.before)
    assert (number, LAST.quote, LAST.before) == (last.id, last.quote, last.before)
    remove_highlight(one, number)
    monkeypatch.setattr(saved_changes, "UNDO_S", -1.0)
    remove_highlight(one, 0)
    with pytest.raises(UsageError, match="put back"):
        restore_highlight(one, number)


def test_highlights_are_bounded(one: SavedList, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty, too long and too many ones are refused with the reason."""
    with pytest.raises(UsageError, match="no text"):
        add_highlight(one, 1, NewHighlight(" ", "", "", 0))
    with pytest.raises(UsageError, match="10,000 characters, this has 10,001"):
        add_highlight(one, 1, NewHighlight("x" * 10_001, "", "", 0))
    number = add_highlight(one, 1, FIRST)
    with pytest.raises(UsageError, match="10,000 characters, this has 10,001"):
        note_highlight(one, number, "x" * 10_001)
    with pytest.raises(UsageError, match="was removed"):
        note_highlight(one, 99, "Gone.")
    monkeypatch.setattr(saved_changes, "_MAX_HIGHLIGHTS", 0)
    with pytest.raises(LimitError, match="highlights of a page"):
        add_highlight(one, 1, LAST)


def test_highlights_are_written_as_markdown(one: SavedList) -> None:
    """Signs of Markdown and HTML are escaped, and pages without highlights are left out."""
    note_highlight(one, add_highlight(one, 1, LAST), " Is *it*?\n\n- See oats. ")
    add_highlight(one, 1, FIRST)
    one.save(PageSource("<p>Oats."), "Oats", "Oats.")
    _, pages = one.search()
    written = write_highlights((page, list_highlights(one, page.id)) for page in pages)
    expected = (
        "# Highlights\n\n## [Rye \\[on\\] sand](https://farm.example/a%20b&#40;1)\n\n"
        "> 1\\. The old rye\n>\n> &lt;b>stands?\n\n> in any \\*wind\\*.\n\n"
        "Is \\*it\\*?\n\n\\- See oats.\n"
    )
    assert expected == written
