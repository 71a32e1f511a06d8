"""Saved page without scripts: save, find, tag, delete and put back."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp, Post
from tests.helpers.data import read_data
from thresher.app.engine import PageSource
from thresher.app.pages import saved as pages
from thresher.app.saved import SAVED_FILE, SavedList
from thresher.app.saved_changes import set_tags
from thresher.errors import StorageError

PAGE = read_data("rye-and-oats.html")


@pytest.fixture
def client(open_app: OpenApp) -> Iterator[TestClient]:
    """An app with an empty list."""
    with open_app() as opened:
        yield opened


def test_from_saving_to_putting_back(client: TestClient, post: Post, tmp_path: Path) -> None:
    """A page is saved from Read, found by its words, tagged, opened, deleted and put back.

    With a file that is no list, pages are still read, and saving says what is wrong.
    """
    assert "Nothing is saved yet" in client.get("/saved").text
    read = post(client, "/read", data={"html": PAGE, "url": "farm.example/rye"}).headers["location"]
    assert f'action="{read}/save"' in client.get(read).text
    assert read == post(client, f"{read}/save").headers["location"]
    assert (
        '<a class="button quiet small" href="/saved?shelf=all#page-1">Saved</a>'
        in client.get(read).text
    )

    assert "Rye &amp; oats</a>" in client.get("/saved?q=frost+winter").text
    assert "No page here holds these words" in client.get("/saved?q=barley").text
    answer = post(client, "/saved/1/tags?q=frost", data={"tags": "Grain, to cite"})
    assert "/saved?q=frost#page-1" == answer.headers["location"]
    shown = client.get("/saved?tag=grain").text
    assert '<option value="Grain" selected>Grain (1)</option>' in shown
    assert '<span class="chip">to cite</span>' in shown
    assert 'href="/saved/feed.xml?shelf=list&amp;tag=grain">RSS' in shown
    feed = client.get("/saved/feed.xml?tag=grain")
    assert "application/rss+xml" in feed.headers["content-type"]
    assert "<link>https://farm.example/rye</link>" in feed.text
    assert "<item>" not in client.get("/saved/feed.xml?q=barley").text

    catalog = client.get("/saved/opds.xml?tag=grain")
    assert "profile=opds-catalog" in catalog.headers["content-type"]
    assert 'href="http://127.0.0.1:8765/saved/1/book.epub"' in catalog.text
    for path in ("/saved/1/book.epub", "/saved/book.epub?tag=grain"):
        book = client.get(path)
        assert "application/epub+zip" == book.headers["content-type"]
        assert book.content.startswith(b"PK")
    assert 404 == client.get("/saved/book.epub?q=barley").status_code

    opened = client.get("/saved/1").headers["location"]
    assert "stands green through the winter" in client.get(opened).text
    answer = post(client, "/saved/change?tag=grain", data={"page": "1", "do": "delete"})
    assert "/saved?tag=grain&did=delete&pages=1" == answer.headers["location"]
    shown = client.get(answer.headers["location"]).text
    assert "1 page deleted." in shown and 'value="restore">Undo' in shown
    assert 404 == client.get("/saved/1").status_code
    post(client, "/saved/change", data={"page": "1", "do": "restore"})
    assert '<span class="chip">Grain</span>' in client.get("/saved").text

    for file in tmp_path.glob(f"{SAVED_FILE}*"):
        file.unlink()
    (tmp_path / SAVED_FILE).write_text("notes of something else " * 50)
    assert 200 == client.get(read).status_code
    answer = post(client, f"{read}/save")
    assert 400 == answer.status_code
    assert "holds no saved pages" in answer.text


def test_pages_are_changed_together(client: TestClient, post: Post, tmp_path: Path) -> None:
    """Selected pages move to other shelves, get tags and are taken back; progress is shown."""
    saved = SavedList(tmp_path / SAVED_FILE)
    for number in (1, 2, 3):
        saved.save(PageSource(f"{PAGE}{number}"), f"Story {number}", "Rye is sown in autumn.")

    def change(do: str, *pages: str, **more: str) -> Any:
        return post(client, "/saved/change", data={"do": do, "page": [*pages], **more})

    def titles(query: str = "") -> list[str]:
        return re.findall(r"Select (Story \d)", client.get(f"/saved{query}").text)

    told = client.get(change("archive", "1", "2").headers["location"]).text
    assert "2 pages archived." in told and 'name="page" value="2"' in told
    assert (["Story 3"], ["Story 2", "Story 1"]) == (titles(), titles("?shelf=archive"))
    assert ["Story 1", "Story 2", "Story 3"] == titles("?shelf=all&sort=title")
    change("unarchive", "1", "2")
    change("tag", "1", "3", tags="grain, to cite")
    assert ["Story 3", "Story 1"] == titles("?tag=grain")
    change("read", "3")
    assert ["Story 2", "Story 1"] == titles("?shelf=unread")
    change("favourite", "2")
    assert ["Story 2"] == titles("?shelf=favourites")
    assert "Story 2" in client.get("/saved/feed.xml?shelf=favourites").text
    post(client, "/saved/1/progress", data={"progress": "0.42"})
    assert "42 % read" in client.get("/saved?shelf=started").text
    assert 400 == post(client, "/saved/1/progress", data={"progress": "most"}).status_code
    assert [400] * 3 == [
        change(*each).status_code for each in (("archive",), ("x", "1"), ("tag", "y"))
    ]


def test_a_list_is_imported_and_exported(client: TestClient, post: Post) -> None:
    """A file of another program is added, says how much, and all can be taken away again."""

    def send(name: str, body: bytes, **data: str) -> Any:
        return post(client, "/saved/import", files={"file": (name, body)}, data=data)

    table = (
        b"title,url,time_added,tags,status\nRye,https://farm.example/rye,1,grain,archive\n,x,,,\n"
    )
    told = client.get(send("part_000000.csv", table).headers["location"]).text
    assert "1 page imported, 1 without a web address left out." in told
    assert "link, fetched when opened" in told and '<span class="chip">grain</span>' in told
    archive = client.get("/saved/all.zip")
    assert "application/zip" == archive.headers["content-type"]
    told = client.get(send("saved.zip", archive.content).headers["location"]).text
    assert "0 pages imported, 1 already in the list." in told
    assert 'href="https://farm.example/rye"' in client.get("/saved/bookmarks.html").text
    assert 422 == send("notes.txt", b"Rye.").status_code
    assert 400 == post(client, "/saved/import").status_code


def test_tags_that_cannot_be_set_stay_in_the_field(
    client: TestClient, post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tags of another tab, too long ones and a full disk are reported beside what was typed."""
    saved = SavedList(tmp_path / SAVED_FILE)
    assert 1 == saved.save(PageSource(PAGE), "Rye & oats", "Rye is sown in autumn.")
    set_tags(saved, 1, ["theirs"], was=())

    def told(status: int, tags: str, was: str, path: str = "/saved/1/tags") -> str:
        answer = post(client, path, data={"tags": tags, "was": was})
        assert status == answer.status_code
        assert tags in answer.text
        found = re.search(r'role="alert">([^<]+)', answer.text)
        assert found
        return html.unescape(found[1])

    assert told(409, "mine", "").startswith("The tags were changed elsewhere meanwhile, to: theirs")
    assert "50 characters" in told(400, "x" * 51, "theirs")
    assert told(409, "mine", "", "/saved/1/tags?q=none").endswith("You typed: mine")

    def fail(*args: object, **options: object) -> None:
        raise StorageError("saved.sqlite: the disk is full")

    monkeypatch.setattr(pages, "store_tags", fail)
    assert "Not set: saved.sqlite: the disk is full." == told(507, "mine", "theirs")


def test_numbers_that_no_page_can_have_are_refused(client: TestClient) -> None:
    """Any number in an address gets an answer that is not the server's fault."""
    for path in (f"/saved/{10**30}", f"/label/{10**30}/inspect"):
        assert 400 == client.get(path).status_code
    assert 200 == client.get(f"/saved?start={10**30}").status_code
