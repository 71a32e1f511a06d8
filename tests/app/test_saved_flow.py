"""The saved list in a browser while the server is killed, and while another tab changes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import pytest

from tests.app.serving import serving
from tests.helpers.browser import check_accessibility, expect
from tests.sites.pages import story
from thresher.app.opened_pages import PageSource
from thresher.app.saved import SavedList
from thresher.app.saved_database import SAVED_FILE
from thresher.app.saved_tags import set_tags
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
    first, second = (tab.get_by_label(f"Tags of Story {n}", exact=True) for n in (1, 2))
    with serving(tmp_path) as (address, _):
        tab.goto(f"{address}/saved")
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
        tab.get_by_role("link", name="mill").first.wait_for()
        expect(second).to_have_value("not sent yet")
        expect(first).to_be_focused()
        tab.get_by_role("button", name="Delete Story 1").press("Enter")
        undo = tab.get_by_role("button", name="Undo")
        expect(undo).to_be_focused()
        expect(first).to_have_count(0)
        check_accessibility(tab)
        undo.press("Enter")
        expect(first).to_have_value("mill, rye")
        expect(second).to_have_value("not sent yet")
        asked: list[str] = []

        def stay(dialog: Dialog) -> None:
            asked.append(dialog.type)
            dialog.dismiss()

        tab.on("dialog", stay)
        tab.get_by_role("link", name="Read").first.click()
        expect(second).to_have_value("not sent yet")
        assert ["beforeunload"] == asked
    tags = {page.title: page.tags for page in saved.search()[1]}
    assert {"Story 1": ("mill", "rye"), "Story 2": ()} == tags
    tab.close()
