"""The saved list as files for other programs, and read again."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.helpers.hostile_metadata import ATTACKS, is_active_address
from thresher.app import saved as module
from thresher.app.engine import PageSource
from thresher.app.imports import ImportedPage, read_imports
from thresher.app.saved import SAVED_FILE, SavedList, SavedPage
from thresher.app.saved_changes import (
    NewHighlight,
    add_highlight,
    change_pages,
    keep_pictures,
    list_highlights,
    list_wanted,
    load_pictures,
    note_highlight,
    set_progress,
    set_tags,
)
from thresher.app.saved_files import (
    add_pages,
    write_archive,
    write_bookmarks,
    write_catalog,
    write_feed,
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


HOME = "http://127.0.0.1:8765/saved"
PAGES = (
    SavedPage(7, "https://farm.example/?a=1&b=2", "Rye < oats", "", "R\x00ye", ("a & b",), 0.0),
    SavedPage(8, "javascript:x()", "Pasted", "", "", (), 86400.0),
)


def test_feed_is_read_back() -> None:
    """Signs of XML do no harm, and pages without a web address lead to the list."""
    channel = ElementTree.fromstring(write_feed(PAGES, HOME))[0]
    first, second = channel.findall("item")
    assert {
        "title": "Rye < oats",
        "link": "https://farm.example/?a=1&b=2",
        "guid": f"{HOME}/7",
        "pubDate": "Thu, 01 Jan 1970 00:00:00 GMT",
        "description": "Rye",
        "category": "a & b",
    } == {each.tag: each.text for each in first}
    assert f"{HOME}/8" == second.findtext("link") == second.findtext("guid")


ATOM = "{http://www.w3.org/2005/Atom}"


def test_catalog_is_read_back() -> None:
    """It has what Atom and OPDS demand, and each entry leads to its book."""
    text = write_catalog(PAGES, HOME, f"{HOME}/opds.xml?q=<", f"{HOME}/opds.xml?start=500")
    feed = ElementTree.fromstring(text)
    assert {"id", "title", "updated", "author"} <= {each.tag.removeprefix(ATOM) for each in feed}
    assert "1970-01-02T00:00:00Z" == feed.findtext(f"{ATOM}updated")
    assert ["self", "start", "next"] == [each.get("rel") for each in feed.findall(f"{ATOM}link")]
    first, second = feed.findall(f"{ATOM}entry")
    assert ("Rye < oats", "Rye") == (
        first.findtext(f"{ATOM}title"),
        first.findtext(f"{ATOM}summary"),
    )
    assert [(f"{HOME}/8/book.epub", "application/epub+zip")] == [
        (each.get("href"), each.get("type")) for each in second.findall(f"{ATOM}link")
    ]


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("catalog", [False, True])
def test_feeds_are_whole_whatever_was_saved(attack: str, catalog: bool) -> None:
    """Title, excerpt, tags and address of a page make no element, and no address that runs."""

    def write(text: str) -> ElementTree.Element:
        pages = (SavedPage(7, text, text, "", text, (text,), 0.0),)
        here = f"{HOME}/opds.xml"
        written = write_catalog(pages, HOME, here) if catalog else write_feed(pages, HOME)
        return ElementTree.fromstring(written)

    written = write(attack)
    links = [each for each in written.iter() if each.tag.endswith("link")]
    assert not any(is_active_address(each.get("href") or each.text or "") for each in links)
    assert [each.tag for each in write("plain").iter()] == [each.tag for each in written.iter()]
