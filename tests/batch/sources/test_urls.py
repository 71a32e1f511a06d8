"""A file of URLs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.batch.sources.reading import read
from tests.fetching.web import Web, serving
from thresher.batch.model import Item
from thresher.batch.sources.base import ReadOptions, Unreadable


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    with serving(monkeypatch) as server:
        server.serve("/robots.txt", status=404)
        yield server


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


def test_private_addresses_are_not_fetched(web: Web, tmp_path: Path) -> None:
    """Non-public addresses are rejected unless allowed."""
    web.serve("/a", b"<p>rye")
    path = tmp_path / "a.urls"
    path.write_text(f"{web.url}/a\n")
    (entry,) = read("urls", path)[0].values()
    assert isinstance(entry, Unreadable)
