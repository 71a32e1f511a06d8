"""Feeds in a browser on a phone, by keyboard alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.app.serving import serving
from tests.helpers.browser import IMPACTS, check_accessibility, expect
from tests.sites.pages import story
from thresher.fetching.model import Fetched

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_a_feed_is_read_by_keyboard(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is subscribed to, an item is read in full, another is put off, and the rest is read."""
    items = "".join(
        f"<item><title>Story {n}</title><link>https://mill.example/{n}</link></item>"
        for n in (1, 2, 3)
    )
    feed = f"<rss version='2.0'><channel><title>The mill</title>{items}</channel></rss>"

    def fetch(url: str, **options: Any) -> Fetched:
        body = story(int(url[-1])) if url[-1].isdigit() else feed if url.endswith("feed") else ""
        return Fetched(url, body.encode(), "utf-8", "text/html", 200, is_public=True)

    monkeypatch.setattr("thresher.fetching.fetch.fetch", fetch)
    tab = browser.new_page(viewport={"width": 390, "height": 844})
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
    tab.close()
