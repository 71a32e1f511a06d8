"""Highlights of saved pages in their file."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.app import saved_highlights
from thresher.app.engine import PageSource
from thresher.app.saved import SAVED_FILE, SavedList
from thresher.app.saved_changes import change_pages
from thresher.app.saved_highlights import (
    NewHighlight,
    add_highlight,
    list_highlights,
    note_highlight,
    remove_highlight,
    restore_highlight,
    write_highlights,
)
from thresher.errors import LimitError, UsageError

RYE = PageSource(b"<p>Rye.", "https://farm.example/a b(1", is_fetched=True)
LAST = NewHighlight("in any *wind*.", "stands ", "", 20)
FIRST = NewHighlight(" 1. The old rye\n<b>stands\udc80 ", "x" * 200, "in", 0)


@pytest.fixture
def saved(tmp_path: Path) -> SavedList:
    """A list of one page."""
    made = SavedList(tmp_path / SAVED_FILE)
    made.save(RYE, "Rye [on] sand", "The old rye stands in any wind.")
    return made


def test_highlights_are_kept_with_their_page(saved: SavedList) -> None:
    """Each passage once, in the order of the text; they survive deleting and saving the page."""
    number = add_highlight(saved, 1, LAST)
    assert number == add_highlight(saved, 1, LAST) != add_highlight(saved, 1, FIRST)
    change_pages(saved, [1], "delete")
    with pytest.raises(UsageError, match="deleted"):
        add_highlight(saved, 1, LAST)
    saved.save(RYE, "Rye", "")
    first, last = list_highlights(saved, 1)
    assert ("1. The old rye\n<b>stands?", "x" * 100) == (first.quote, first.before)
    assert (number, LAST.quote, LAST.before) == (last.id, last.quote, last.before)


def test_removing_can_be_undone_for_a_day(
    saved: SavedList, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A removed highlight comes back, until a day has passed."""
    number = add_highlight(saved, 1, LAST)
    remove_highlight(saved, number)
    assert () == list_highlights(saved, 1)
    restore_highlight(saved, number)
    assert 1 == len(list_highlights(saved, 1))
    remove_highlight(saved, number)
    monkeypatch.setattr(saved_highlights, "UNDO_S", -1.0)
    remove_highlight(saved, 0)
    with pytest.raises(UsageError, match="put back"):
        restore_highlight(saved, number)


def test_highlights_are_bounded(saved: SavedList, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty, too long and too many ones are refused with the reason."""
    with pytest.raises(UsageError, match="no text"):
        add_highlight(saved, 1, NewHighlight(" ", "", "", 0))
    with pytest.raises(UsageError, match="10,000 characters, this has 10,001"):
        add_highlight(saved, 1, NewHighlight("x" * 10_001, "", "", 0))
    number = add_highlight(saved, 1, FIRST)
    with pytest.raises(UsageError, match="10,000 characters, this has 10,001"):
        note_highlight(saved, number, "x" * 10_001)
    with pytest.raises(UsageError, match="was removed"):
        note_highlight(saved, 99, "Gone.")
    monkeypatch.setattr(saved_highlights, "_MAX_HIGHLIGHTS", 0)
    with pytest.raises(LimitError, match="highlights of a page"):
        add_highlight(saved, 1, LAST)


def test_highlights_are_written_as_markdown(saved: SavedList) -> None:
    """Signs of Markdown and HTML are escaped, and pages without highlights are left out."""
    note_highlight(saved, add_highlight(saved, 1, LAST), " Is *it*?\n\n- See oats. ")
    add_highlight(saved, 1, FIRST)
    saved.save(PageSource("<p>Oats."), "Oats", "Oats.")
    _, pages = saved.search()
    written = write_highlights((page, list_highlights(saved, page.id)) for page in pages)
    expected = (
        "# Highlights\n\n## [Rye \\[on\\] sand](https://farm.example/a%20b&#40;1)\n\n"
        "> 1\\. The old rye\n>\n> &lt;b>stands?\n\n> in any \\*wind\\*.\n\n"
        "Is \\*it\\*?\n\n\\- See oats.\n"
    )
    assert expected == written
