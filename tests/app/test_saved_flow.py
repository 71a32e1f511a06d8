"""The saved list, highlights and feeds in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.app.conftest import Web
from tests.app.serving import serving
from tests.helpers.browser import IMPACTS, check_accessibility, dismiss_dialogs, expect
from tests.sites.pages import story
from thresher.app.engine import PageSource
from thresher.app.saved import SAVED_FILE, SavedList
from thresher.app.saved_changes import set_tags
from thresher.errors import StorageError

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

URL: Final = "https://mill.example/1"


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """Tab of the size of a phone."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    yield page
    page.close()


def test_saving_costs_nothing_while_the_server_is_gone(tab: Page, tmp_path: Path, web: Web) -> None:
    """The article stays in sight with the reason, and is saved once the server is back."""
    web.pages[URL] = story(1)
    save = tab.get_by_role("button", name="Save", exact=True)
    with serving(tmp_path) as (address, _):
        tab.goto(f"{address}/read?url={URL}")
        title = tab.locator("#title").inner_text()
    save.press("Enter")
    expect(tab.get_by_role("alert")).to_have_text(
        "Not saved: the server is not responding. Try again."
    )
    expect(tab.locator("#title")).to_have_text(title)
    check_accessibility(tab)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    with serving(tmp_path, address=address):
        save.press("Enter")
        tab.get_by_role("link", name="Saved", exact=True).nth(1).wait_for()
        expect(tab.locator("#title")).to_have_text(title)
    _, pages = SavedList(tmp_path / SAVED_FILE).search()
    assert [URL] == [page.url for page in pages]


def test_tags_stay_in_their_field_until_they_are_stored(browser: Browser, tmp_path: Path) -> None:
    """Neither a server that is gone nor another tab takes what was typed."""
    saved = SavedList(tmp_path / SAVED_FILE)
    numbers = [saved.save(PageSource(story(n)), f"Story {n}", "Rye.") for n in (1, 2)]
    tab = browser.new_page()
    first, second = (tab.get_by_label(f"Tags of Story {n}, separated by commas") for n in (1, 2))
    with serving(tmp_path) as (address, _):
        tab.goto(f"{address}/saved")
        for card in tab.locator(".tags summary").all():
            card.press("Enter")
        second.fill("not sent yet")
    first.fill("rye, mill")
    first.press("Enter")
    expect(tab.get_by_role("alert")).to_have_text(
        "Not set: the server is not responding. Try again."
    )
    expect(first).to_have_value("rye, mill")
    set_tags(saved, numbers[0], ("oats",), was=())
    with serving(tmp_path, address=address):
        first.press("Enter")
        expect(tab.get_by_role("alert")).to_contain_text("changed elsewhere meanwhile, to: oats")
        expect(first).to_have_value("rye, mill")
        expect(first).to_be_focused()
        expect(second).to_have_value("not sent yet")
        first.press("Enter")
        expect(tab.locator("#page-1 .chip")).to_have_text(["mill", "rye", "Edit"])
        expect(second).to_have_value("not sent yet")
        expect(tab.locator("#edit-1")).to_be_focused()
        tab.get_by_role("button", name="Delete Story 1").press("Enter")
        undo = tab.get_by_role("button", name="Undo")
        expect(undo).to_be_focused()
        expect(first).to_have_count(0)
        check_accessibility(tab)
        undo.press("Enter")
        expect(first).to_have_value("mill, rye")
        expect(second).to_have_value("not sent yet")
        tab.get_by_role("button", name="Favourite Story 1").press("Enter")
        expect(tab.locator("#page-1 .star")).to_be_visible()
        expect(second).to_have_value("not sent yet")
        asked = dismiss_dialogs(tab)
        tab.get_by_role("link", name="Read").first.click()
        expect(second).to_have_value("not sent yet")
        assert ["beforeunload"] == asked
    assert ["Story 1"] == [page.title for page in saved.search(shelf="favourites")[1]]
    tags = {page.title: page.tags for page in saved.search()[1]}
    assert {"Story 1": ("mill", "rye"), "Story 2": ()} == tags
    tab.close()


def test_many_pages_are_archived_by_keyboard(tab: Page, tmp_path: Path) -> None:
    """All are selected, archived, brought back and tagged without the mouse, on a phone."""
    saved = SavedList(tmp_path / SAVED_FILE)
    for n in (1, 2, 3):
        saved.save(PageSource(story(n)), f"Story {n}", "Rye.")
    archive = tab.locator("#bulk").get_by_role("button", name="Archive", exact=True)
    with serving(tmp_path) as (address, _):
        tab.goto(f"{address}/saved")
        expect(archive).to_be_hidden()
        tab.get_by_label("Select all").press("Space")
        tab.get_by_label("Select Story 2").press("Space")
        check_accessibility(tab)
        archive.press("Enter")
        expect(tab.get_by_role("status")).to_have_text("2 pages archived.")
        expect(tab.locator("ol.saved > li")).to_have_count(1)
        expect(archive).to_be_hidden()
        undo = tab.get_by_role("button", name="Undo")
        expect(undo).to_be_focused()
        undo.press("Enter")
        expect(tab.locator("ol.saved > li")).to_have_count(3)
        tab.get_by_label("Select Story 3").press("Space")
        tab.get_by_label("Tags for the selected pages").fill("mill")
        tab.get_by_label("Tags for the selected pages").press("Enter")
        expect(tab.locator("#page-3 .chip")).to_have_text(["mill", "Edit"])
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    assert [0, 3] == [saved.count()[shelf] for shelf in ("archive", "list")]


SOURCE = PageSource(
    f"""<html lang="en"><title>Rye in winter</title><article><h1>Rye in winter</h1><p>The <b>old
rye</b> stands in any wind, and asks little of the ground that it is sown on, in any year.</p>
<p>Wheat fails where the old rye does not, and oats are sown in March when the frost is out of the
ground. Barley comes last, and is the first to be cut when July ends.</p>
<p>{"In the valley they sow what their fathers sowed, and are content. " * 60} Spelt is rare.</p>
</article>""",
    "https://farm.example/rye",
    is_fetched=True,
)


SEES_MATCH: Final = """() => {
  const [match] = CSS.highlights.get("found-here") ?? [];
  const box = match?.getBoundingClientRect();
  const panel = document.querySelector("[data-count]").closest("form").getBoundingClientRect();
  return match?.toString() === "Spelt" && box.top >= panel.bottom && box.bottom <= innerHeight;
}"""


def test_what_is_found_is_highlighted_and_kept(
    tab: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Enter goes through the matches; one is highlighted, survives a restart, and is exported."""
    marks = tab.locator("mark[data-of]")
    with serving(tmp_path) as (address, app):
        from thresher.app.pages import read

        tab.goto(f"{address}/read/{app.page_cache.put(SOURCE)}")
        tab.keyboard.press("/")
        tab.keyboard.type("OLD rye")
        field = tab.get_by_label("Find in the article")
        expect(field).to_have_value("OLD rye")
        expect(tab.locator("[data-count]")).to_have_text("1 of 2")
        tab.keyboard.press("Enter")
        expect(tab.locator("[data-count]")).to_have_text("2 of 2")
        check_accessibility(tab)

        def fail(*args: Any) -> int:
            raise StorageError("saved.sqlite: the disk is full")

        button = tab.get_by_role("button", name="Highlight", exact=True)
        with monkeypatch.context() as patch:
            patch.setattr(read, "add_highlight", fail)
            button.press("Enter")
            expect(tab.locator("[data-said]")).to_contain_text("the disk is full. Try again.")
        button.press("Enter")
        expect(marks).to_have_text(["old rye"])
        expect(tab.locator(".text p").nth(1).locator("mark")).to_have_count(1)
        expect(tab.get_by_role("link", name="Saved", exact=True).last).to_be_visible()
        tab.keyboard.press("Escape")
        tab.locator(".text p").first.select_text()
        button.press("Enter")
        expect(tab.locator(".highlights li")).to_have_count(2)
    with serving(tmp_path) as (address, _):
        tab.goto(f"{address}/saved/1")
        expect(marks.last).to_have_text("old rye")
        check_accessibility(tab)
        with tab.expect_download() as download:
            tab.get_by_role("link", name="Download highlights").press("Enter")
        exported = Path(download.value.path()).read_text()
        assert "## [Rye in winter](https://farm.example/rye)\n\n> The old" in exported
        assert exported.endswith("\n\n> old rye\n")
        tab.get_by_text("Add a note on highlight 2").press("Enter")
        tab.get_by_label("Note on highlight 2").fill("Which one?")
        tab.get_by_role("button", name="Store the note").press("Enter")
        expect(tab.locator(".highlights .remark")).to_have_text("Which one?")
        check_accessibility(tab)
        tab.get_by_role("button", name="Remove highlight 2").press("Enter")
        expect(tab.locator(".highlights li")).to_have_count(1)
        tab.get_by_role("button", name="Undo").press("Enter")
        expect(tab).to_have_url(re.compile("#highlights$"))
        expect(tab.locator(".highlights li")).to_have_count(2)


def test_a_match_at_the_end_of_a_long_paragraph_is_in_sight(tab: Page, tmp_path: Path) -> None:
    """Below the panel, even if the paragraph is taller than the window."""
    with serving(tmp_path) as (address, app):
        tab.goto(f"{address}/read/{app.page_cache.put(SOURCE)}")
        tab.keyboard.press("/")
        tab.get_by_label("Find in the article").fill("Spelt")
        tab.wait_for_function(SEES_MATCH)


def test_a_saved_page_opens_where_it_was_left(tab: Page, tmp_path: Path) -> None:
    """How far it was read is kept, shown in the list, and where the page opens the next time."""
    saved = SavedList(tmp_path / SAVED_FILE)
    saved.save(SOURCE, "Rye in winter", "Rye.")
    with serving(tmp_path) as (address, _):
        tab.goto(f"{address}/saved/1")
        with tab.expect_response("**/progress"):
            tab.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)")
        tab.goto(f"{address}/saved?shelf=started")
        expect(tab.locator("ol.saved")).to_contain_text("% read")
        tab.goto(f"{address}/saved/1")
        tab.wait_for_function("scrollY > 1000")
        with tab.expect_response("**/progress"):
            tab.keyboard.press("End")
        tab.get_by_role("button", name="Archive", exact=True).press("Enter")
        expect(tab.get_by_role("status").first).to_have_text("1 page archived.")
    (page,) = saved.search(shelf="archive")[1]
    assert 1 == page.progress


def test_a_feed_is_read_by_keyboard(tab: Page, tmp_path: Path, web: Web) -> None:
    """It is subscribed to, an item is read in full, another is put off, and the rest is read."""
    items = "".join(
        f"<item><title>Story {n}</title><link>https://mill.example/{n}</link></item>"
        for n in (1, 2, 3)
    )
    feed = f"<rss version='2.0'><channel><title>The mill</title>{items}</channel></rss>"
    web.pages = {f"https://mill.example/{n}": story(n) for n in (1, 2, 3)}
    web.pages["https://mill.example/feed"] = feed
    entries = tab.locator("ol.saved > li")
    with serving(tmp_path) as (address, _):
        tab.goto(f"{address}/feeds")
        tab.get_by_label("Subscribe to a site or feed").fill("mill.example/feed")
        tab.keyboard.press("Enter")
        expect(entries).to_have_count(3)
        check_accessibility(tab, IMPACTS)
        tab.get_by_role("link", name="Story 1").press("Enter")
        tab.locator("#title").wait_for()
        tab.go_back()
        tab.reload()
        expect(entries).to_have_count(2)
        tab.get_by_role("button", name="Save for later Story 2").press("Enter")
        expect(entries).to_have_count(1)
        expect(entries.get_by_role("link")).to_be_focused()
        tab.locator("summary", has_text="choose a feed").press("Enter")
        expect(tab.locator(".sources [aria-current]")).to_have_text("The mill 1")
        tab.get_by_role("button", name="Mark all read").press("Enter")
        expect(tab.locator(".none")).to_have_text("Nothing is unread.")
        tab.goto(f"{address}/saved")
        expect(entries).to_have_count(1)
