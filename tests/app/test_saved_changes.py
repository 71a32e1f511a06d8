"""Changes of saved pages in their file."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.app.engine import PageSource
from thresher.app.saved import SAVED_FILE, SORTS, SavedList
from thresher.app.saved_changes import CHANGES, add_tags, change_pages, set_progress
from thresher.errors import UsageError


@pytest.fixture
def saved(tmp_path: Path) -> SavedList:
    """A list of three pages, numbered from 1, each longer than the one before."""
    made = SavedList(tmp_path / SAVED_FILE)
    for number, title in enumerate(("rye", "Barley", "oats"), 1):
        source = PageSource(f"<p>{title}", f"https://{title}.example/", is_fetched=True)
        made.save(source, title, "It is sown early. " * 150 * number)
    return made


def on(saved: SavedList, shelf: str, sort: str = "oldest") -> list[int]:
    return [page.id for page in saved.search(shelf=shelf, sort=sort)[1]]


def test_pages_move_between_shelves(saved: SavedList) -> None:
    """A change says which pages it changed, and its undo leaves the list as it was."""
    assert (1, 3) == change_pages(saved, [1, 3, 3, 9], "archive")
    assert (2,) == change_pages(saved, [1, 2], "archive")
    assert ([], [1, 2, 3]) == (on(saved, "list"), on(saved, "archive"))
    change_pages(saved, [2], "unarchive")
    change_pages(saved, [1, 2], "favourite")
    assert ([2], [1, 2]) == (on(saved, "unread"), on(saved, "favourites"))
    expected = {"list": 1, "unread": 1, "started": 0, "favourites": 2, "archive": 2, "all": 3}
    assert expected == saved.count()
    for name, change in CHANGES.items():
        if change.undo and name != "restore":
            before = saved.search()
            change_pages(saved, change_pages(saved, [1, 2, 3], name), change.undo)
            assert before == saved.search(), name
    with pytest.raises(UsageError, match="unknown change"):
        change_pages(saved, [1], "burn")


def test_progress_is_kept(saved: SavedList) -> None:
    """The last place counts, the last lines are the end, and what was read stays read."""
    set_progress(saved, 1, 0.7)
    set_progress(saved, 1, 0.4)
    set_progress(saved, 2, 0.98)
    set_progress(saved, 2, 0.1)
    assert [0.4, 1.0, 0.0] == [page.progress for page in saved.search(sort="oldest")[1]]
    assert ([1], [3]) == (on(saved, "started"), on(saved, "unread"))
    change_pages(saved, [2], "unread")
    set_progress(saved, 2, -3)
    assert [2, 3] == on(saved, "unread")
    with pytest.raises(UsageError, match="from 0 to 1"):
        set_progress(saved, 1, float("nan"))


def test_pages_are_sorted(saved: SavedList) -> None:
    """By age, length, title and site; an unknown order or shelf is the usual one."""
    found = {sort: on(saved, "all", sort) for sort in SORTS}
    assert [1, 2, 3] == found["oldest"] == found["shortest"]
    assert [3, 2, 1] == found["newest"] == found["longest"] == on(saved, "?", "?")
    assert [2, 3, 1] == found["title"] == found["site"]


def test_tags_are_added_to_many(saved: SavedList) -> None:
    """Pages keep their tags, and one that would have too many leaves all as they were."""
    add_tags(saved, [1], ["grain"])
    add_tags(saved, [1, 2], ["GRAIN", "early"])
    expected = [("early", "grain"), ("early", "GRAIN"), ()]
    assert expected == [page.tags for page in saved.search(sort="oldest")[1]]
    with pytest.raises(UsageError, match="20 tags"):
        add_tags(saved, [3, 1], [f"tag {n}" for n in range(19)])
    assert expected == [page.tags for page in saved.search(sort="oldest")[1]]
