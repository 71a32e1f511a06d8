"""Addresses of pages in a browser: they can be shared, and survive a restart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.app.serving import serving
from tests.helpers.browser import expect, wait_for_page
from tests.sites.pages import story
from thresher.errors import FetchError
from thresher.fetching.model import Fetched

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser

URL: Final = "https://mill.example/rye?page=1&kind=a"


@pytest.fixture(autouse=True)
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace fetching; return the list of addresses that were fetched."""
    asked: list[str] = []

    def fetch(url: str, **options: Any) -> Fetched:
        asked.append(url)
        if "mill.example" not in url:
            raise FetchError(f"cannot connect to {url}", url=url)
        body = story(1).encode()
        return Fetched(url, body, "utf-8", "text/html", 200, is_public=True)

    monkeypatch.setattr("thresher.fetching.fetch.fetch", fetch)
    return asked


def test_a_link_survives_a_restart(browser: Browser, tmp_path: Path, fetched: list[str]) -> None:
    """The address bar holds what was read, in every view, and opens it after a restart."""
    tab = browser.new_page()
    with serving(tmp_path) as (address, _):
        tab.goto(address)
        tab.get_by_label("Page address").fill(URL)
        tab.get_by_role("button", name="Read", exact=True).click()
        wait_for_page(tab, "#title")
        links = [tab.url]
        tab.get_by_role("link", name="Inspect", exact=True).last.click()
        wait_for_page(tab, ".annotated .b")
        tab.locator(".annotated .b", has_text="praised").click()
        tab.wait_for_selector("#block:not([aria-busy]) h2:has-text('Block 8')")
        links.append(tab.url)
        tab.get_by_role("link", name="Compare with another method").click()
        wait_for_page(tab, ".versus")
        links.append(tab.url)
    assert [[URL]] * 3 == [parse_qs(urlsplit(link).query).get("url") for link in links]
    assert [URL] == fetched
    with serving(tmp_path, port=urlsplit(address).port or 0):
        for link, shown in zip(links, ("#title", "#block h2", ".versus"), strict=True):
            tab.goto(link)
            tab.wait_for_selector(shown)
            assert [URL] == parse_qs(urlsplit(tab.url).query)["url"]
        tab.goto(links[1])
        expect(tab.locator("#block h2")).to_contain_text("Block 8")
    tab.close()


def test_what_was_pasted_has_no_address_to_share(browser: Browser, tmp_path: Path) -> None:
    """Pasted HTML is not what its address leads to, so the link is to the cached page."""
    tab = browser.new_page()
    with serving(tmp_path) as (address, _):
        tab.goto(address)
        tab.get_by_label("Page address").fill(URL)
        tab.get_by_text("Paste HTML").click()
        tab.get_by_label("Page HTML").fill(story(1))
        tab.get_by_role("button", name="Read HTML").click()
        wait_for_page(tab, "#title")
        assert "" == urlsplit(tab.url).query
        tab.goto(f"{address}/read/gone?url=https://other.example/")
        said = "Cannot connect to https://other.example/"
        expect(tab.get_by_role("alert")).to_contain_text(said)
    tab.close()
