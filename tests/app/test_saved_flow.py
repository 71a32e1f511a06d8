"""The saved list in a browser while the server is killed, and while another tab changes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import pytest

from tests.app.serving import serving
from tests.helpers.browser import check_accessibility, expect
from tests.sites.pages import story
from thresher.app.engine import PageSource
from thresher.app.saved import SAVED_FILE, SavedList
from thresher.app.saved_changes import set_tags
from thresher.fetching.model import Fetched

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog

URL: Final = "https://mill.example/1"


def test_saving_costs_nothing_while_the_server_is_gone(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The article stays in sight with the reason, and is saved once the server is back."""

    def fetch(url: str, **options: Any) -> Fetched:
        return Fetched(url, story(1).encode(), "utf-8", "text/html", 200, is_public=True)

    monkeypatch.setattr("thresher.fetching.fetch.fetch", fetch)
    tab = browser.new_page(viewport={"width": 390, "height": 844})
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
    with serving(tmp_path, port=urlsplit(address).port or 0):
        save.press("Enter")
        tab.get_by_role("link", name="Saved", exact=True).nth(1).wait_for()
        expect(tab.locator("#title")).to_have_text(title)
    _, pages = SavedList(tmp_path / SAVED_FILE).search()
    assert [URL] == [page.url for page in pages]
    tab.close()


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
    with serving(tmp_path, port=urlsplit(address).port or 0):
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
        asked: list[str] = []

        def stay(dialog: Dialog) -> None:
            asked.append(dialog.type)
            dialog.dismiss()

        tab.on("dialog", stay)
        tab.get_by_role("link", name="Read").first.click()
        expect(second).to_have_value("not sent yet")
        assert ["beforeunload"] == asked
    assert ["Story 1"] == [page.title for page in saved.search(shelf="favourites")[1]]
    tags = {page.title: page.tags for page in saved.search()[1]}
    assert {"Story 1": ("mill", "rye"), "Story 2": ()} == tags
    tab.close()


def test_many_pages_are_archived_by_keyboard(browser: Browser, tmp_path: Path) -> None:
    """All are selected, archived, brought back and tagged without the mouse, on a phone."""
    saved = SavedList(tmp_path / SAVED_FILE)
    for n in (1, 2, 3):
        saved.save(PageSource(story(n)), f"Story {n}", "Rye.")
    tab = browser.new_page(viewport={"width": 390, "height": 844})
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
    tab.close()
