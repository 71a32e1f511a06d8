"""The start page in a browser: a sample, recent pages, and waiting."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.helpers.browser import check_accessibility, expect, wait_for_page
from thresher.fetching.model import Fetched

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SLOW: Final = "https://slow.example/"


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Event until which fetching waits."""
    event = threading.Event()

    def fetch(url: str, **options: Any) -> Fetched:
        event.wait(30)
        return Fetched(url, b"<title>Rye</title><p>Rye.", "utf-8", "text/html", 200, is_public=True)

    monkeypatch.setattr("thresher.fetching.fetch.fetch", fetch)
    yield event
    event.set()


def test_waiting_is_shown_and_can_be_cancelled(tab: Page, answer: threading.Event) -> None:
    """What takes longer says so, and Cancel leaves the page with what was typed."""
    tab.goto("/")
    tab.get_by_label("Page address").fill(SLOW)
    # While a navigation is pending Playwright cannot look at the page, so the page does it.
    tab.evaluate(
        """() => {
          window.seen = [];
          new MutationObserver(() => {
            const bar = document.querySelector(".working");
            if (!bar || seen.length) return;
            seen.push(bar.innerText.replace(/\\s+/g, " "));
            bar.querySelector("button").click();
          }).observe(document.body, { childList: true });
        }"""
    )
    tab.get_by_role("button", name="Read", exact=True).click(no_wait_after=True)
    tab.wait_for_function("window.seen.length")
    assert ["Opening the page… Cancel"] == tab.evaluate("window.seen")
    expect(tab.locator(".working")).to_have_count(0)
    expect(tab.get_by_label("Page address")).to_have_value(SLOW)
    answer.set()
    tab.get_by_role("button", name="Read", exact=True).click()
    wait_for_page(tab, "#title")
    expect(tab.locator(".working")).to_have_count(0)


def test_the_busy_state_is_accessible(tab: Page) -> None:
    """The bar is announced, and its button can be reached and used by keyboard."""
    tab.goto("/")
    tab.evaluate("window.thresherBusy.start('Working', () => { window.cancelled = true; })")
    tab.get_by_role("status").get_by_text("Working…").wait_for()
    check_accessibility(tab)
    tab.get_by_role("button", name="Cancel").press("Enter")
    tab.wait_for_function("window.cancelled")
    expect(tab.locator(".working")).to_have_count(0)


def test_a_sample_and_recent_pages_are_a_click_away(tab: Page) -> None:
    """The sample opens by a click, is then among the recent pages, and these can be cleared."""
    tab.goto("/")
    heading = tab.get_by_role("heading", name="Recent pages")
    expect(heading).to_be_hidden()
    tab.get_by_role("link", name="Open a sample page").click()
    wait_for_page(tab, "#title")
    expect(tab.locator("#title")).to_have_text("How rye reached the hills")
    tab.goto("/")
    recent = tab.locator("[data-recent] li")
    expect(recent).to_have_text(["How rye reached the hills sample.html"])
    check_accessibility(tab)
    recent.get_by_role("link").click()
    wait_for_page(tab, "#title")
    tab.goto("/")
    expect(recent).to_have_count(1)
    tab.get_by_role("button", name="Clear").click()
    expect(heading).to_be_hidden()
    tab.reload()
    expect(heading).to_be_hidden()


def test_compare_is_in_the_menu(tab: Page) -> None:
    """Compare has its place in the menu, and opens a page by itself."""
    tab.goto("/")
    tab.get_by_role("navigation").get_by_role("link", name="Compare").click()
    tab.get_by_role("link", name="Open a sample page").click()
    wait_for_page(tab, ".versus")
    expect(tab.get_by_role("navigation").locator("[aria-current=page]")).to_have_text("Compare")
    check_accessibility(tab)


@pytest.mark.parametrize("view", ["read", "inspect", "compare"])
def test_what_cannot_be_read_is_still_in_its_form(browser: Browser, site: str, view: str) -> None:
    """HTML that is none comes back with the reason, as it was typed, and can be mended and sent."""
    typed = "\n%PDF-1.7 </textarea> & what else was typed"
    context = browser.new_context(base_url=site, viewport={"width": 390, "height": 844})
    tab = context.new_page()
    tab.goto(f"/{view}" if view != "read" else "/")
    tab.get_by_label("Page address").fill("https://mill.example/rye")
    tab.get_by_text("Paste HTML").click()
    field = tab.get_by_label("Page HTML")
    field.fill(typed)
    tab.get_by_role("button", name=f"{view.capitalize()} HTML").click()
    expect(tab.get_by_role("alert")).to_contain_text("PDF")
    tab.wait_for_load_state()
    expect(field).to_be_visible()
    expect(field).to_have_value(typed)
    expect(tab.get_by_label("Page address")).to_have_value("https://mill.example/rye")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    check_accessibility(tab)
    field.fill("<title>Rye</title><p>Rye is sown in autumn.</p>")
    tab.get_by_role("button", name=f"{view.capitalize()} HTML").click()
    expect(tab.locator("main")).to_contain_text("Rye is sown in autumn.")
    context.close()


def test_inspect_takes_html(tab: Page) -> None:
    """Inspect opens pasted HTML without a detour through Read."""
    tab.goto("/inspect")
    check_accessibility(tab)
    tab.get_by_text("Paste HTML").click()
    tab.get_by_label("Page HTML").fill("<title>Rye</title><p>Rye is sown in autumn.</p>")
    tab.get_by_role("button", name="Inspect HTML").click()
    expect(tab.locator(".annotated")).to_contain_text("Rye is sown in autumn.")
