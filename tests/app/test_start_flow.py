"""Forms in a browser: the start page, and what is typed while the server is gone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlsplit

import pytest

from tests.app.every_page import serving_every_page
from tests.app.serving import serving
from tests.helpers.browser import IMPACTS, check_accessibility, expect, wait_for_page
from thresher.errors import FetchError, StorageError
from thresher.fetching.model import Fetched
from thresher.labelling.decisions import find_decision
from thresher.labelling.store import LabelStore

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FilePayload, Page

SLOW: Final = "https://slow.example/"
PASTED: Final = "<title>Rye</title><h1>Rye</h1><p>Rye is sown in autumn.</p>"


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
    tab.get_by_role("button", name="Read", exact=True).click()
    expect(tab.locator(".working")).to_contain_text("Opening the page…")
    tab.locator(".working").get_by_role("button", name="Cancel").press("Enter")
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
    tab.get_by_text("Lab", exact=True).click()
    tab.get_by_role("navigation").get_by_role("link", name="Compare").click()
    tab.get_by_role("link", name="Open a sample page").click()
    wait_for_page(tab, ".versus")
    expect(tab.locator("nav [aria-current=page]")).to_contain_text("Compare")
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


@pytest.mark.parametrize("view", ["read", "inspect", "compare"])
def test_a_server_that_is_gone_takes_nothing_that_was_typed(
    browser: Browser, tmp_path: Path, view: str
) -> None:
    """The form stays with its address and HTML, says why, and opens the page when it can again."""
    tab = browser.new_page()
    with serving(tmp_path) as (address, _):
        tab.goto(f"{address}/{view}" if view != "read" else address)
        tab.get_by_label("Page address").fill("https://mill.example/rye")
        tab.get_by_text("Paste HTML").click()
        tab.get_by_label("Page HTML").fill(PASTED)
    button = tab.get_by_role("button", name=f"{view.capitalize()} HTML")
    button.click()
    expect(tab.get_by_role("alert")).to_contain_text("the server is not responding")
    expect(tab.get_by_label("Page HTML")).to_have_value(PASTED)
    expect(tab.get_by_label("Page address")).to_have_value("https://mill.example/rye")
    check_accessibility(tab, impacts=IMPACTS)
    with serving(tmp_path, port=urlsplit(address).port or 0):
        button.press("Enter")
        expect(tab.locator("main")).to_contain_text("Rye is sown in autumn.")
    tab.close()


@pytest.mark.parametrize("view", ["read", "inspect", "compare"])
def test_what_was_pasted_can_be_opened_again_after_a_restart(
    browser: Browser, tmp_path: Path, view: str
) -> None:
    """The tab keeps pasted HTML, and opens it again where the server no longer has it."""
    tab = browser.new_page()
    with serving(tmp_path) as (address, _):
        tab.goto(address)
        tab.get_by_text("Paste HTML").click()
        tab.get_by_label("Page HTML").fill(PASTED)
        tab.get_by_role("button", name="Read HTML").click()
        wait_for_page(tab, "#title")
        here = urlsplit(tab.url).path
    with serving(tmp_path, port=urlsplit(address).port or 0):
        tab.goto(address + here.replace("/read", f"/{view}"))
        check_accessibility(tab, impacts=IMPACTS)
        tab.get_by_role("button", name="Open it again").press("Enter")
        expect(tab.locator("main")).to_contain_text("Rye is sown in autumn.")
        assert urlsplit(tab.url).path.startswith(f"/{view}/")
        tab.goto(f"{address}/{view}/unknown")
        expect(tab.get_by_role("alert")).to_contain_text("This page has expired")
        expect(tab.get_by_role("button", name="Open it again")).to_be_hidden()
    tab.close()


def test_the_file_of_a_page_is_named_after_a_restart(browser: Browser, tmp_path: Path) -> None:
    """A page that was a file says which one is to be chosen again."""
    tab = browser.new_page()
    with serving(tmp_path) as (address, _):
        tab.goto(address)
        file = {"name": "rye.html", "mimeType": "text/html", "buffer": PASTED.encode()}
        tab.get_by_label("Saved page").set_input_files(cast("FilePayload", file))
        wait_for_page(tab, "#title")
    with serving(tmp_path, port=urlsplit(address).port or 0):
        tab.reload()
        expect(tab.locator("main")).to_contain_text("It was the file “rye.html”")
    tab.close()


GONE = "Not sent: the server is not responding"
URLS = "https://mill.example/1\nhttps://mill.example/2"


def test_addresses_to_label_stay_while_the_server_is_gone(browser: Browser, tmp_path: Path) -> None:
    """They stay in their field with the reason, and are sent when the server is back."""
    tab = browser.new_page()
    with serving(tmp_path) as (address, _):
        tab.goto(f"{address}/label")
        tab.get_by_label("Addresses").fill(URLS)
    button = tab.get_by_role("button", name="Add pages")
    button.press("Enter")
    expect(tab.get_by_role("alert")).to_contain_text(GONE)
    expect(tab.get_by_label("Addresses")).to_have_value(URLS)
    check_accessibility(tab, impacts=IMPACTS)
    with serving(tmp_path, port=urlsplit(address).port or 0):
        button.press("Enter")
        expect(tab.get_by_role("status").first).to_contain_text("0 pages added")
        expect(tab.get_by_label("Addresses")).to_have_value(URLS)
    tab.close()


def test_a_decision_stays_while_the_server_is_gone(browser: Browser, tmp_path: Path) -> None:
    """What was chosen for each block stays, leaving asks, and it is stored once it can be."""
    tab = browser.new_page()
    with serving_every_page(tmp_path) as app:
        tab.goto(app.address + app.paths["decide"])
        tab.get_by_role("button", name="Take all of Bo").click()
        kept = tab.locator("input[value=keep]:checked").count()
    save = tab.get_by_role("button", name="Save and next")
    save.click()
    expect(tab.get_by_role("alert")).to_contain_text(GONE)
    expect(tab.locator("input[value=keep]:checked")).to_have_count(kept)
    tab.on("dialog", lambda dialog: dialog.dismiss())
    with tab.expect_event("dialog") as asked:
        tab.get_by_role("link", name="Saved").click(no_wait_after=True)
    assert "beforeunload" == asked.value.type
    with serving(tmp_path, port=urlsplit(app.address).port or 0):
        save.click()
        tab.wait_for_url("**/label/3/decide**")
        decision = find_decision(LabelStore(tmp_path / "labels.sqlite"), 2)
        assert decision and kept == int(decision.keep.sum())
    tab.close()


def test_settings_of_a_training_stay_while_the_server_is_gone(
    browser: Browser, tmp_path: Path
) -> None:
    """What was set in the form of a run is still there."""
    tab = browser.new_page()
    with serving_every_page(tmp_path) as app:
        tab.goto(app.address + app.paths["train"])
        tab.get_by_label("Folds").fill("3")
    tab.get_by_role("button", name="Train", exact=True).click()
    expect(tab.get_by_role("alert")).to_contain_text(GONE)
    expect(tab.get_by_label("Folds")).to_have_value("3")
    tab.close()


def test_addresses_that_cannot_be_added_stay(
    browser: Browser, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too many, a full disk or a failed fetch: they are in their field, with the reason."""
    tab = browser.new_page(base_url=site)
    tab.goto("/label")
    many = "\n".join(f"https://mill.example/{n}" for n in range(201))
    tab.get_by_label("Addresses").fill(many)
    tab.get_by_role("button", name="Add pages").click()
    expect(tab.get_by_role("alert")).to_contain_text(
        "Not added: addresses at a time: 201, the limit is 200"
    )
    expect(tab.get_by_label("Addresses")).to_have_value(many)

    def fail(url: str, **options: object) -> None:
        raise FetchError(f"cannot connect to {url}", url=url)

    def fill(*given: object) -> None:
        raise StorageError("labels.sqlite: the disk is full")

    monkeypatch.setattr("thresher.fetching.fetch.fetch", fail)
    tab.get_by_label("Addresses").fill(URLS)
    with monkeypatch.context() as full:
        full.setattr(LabelStore, "add", fill)
        tab.get_by_role("button", name="Add pages").click()
        expect(tab.get_by_role("alert")).to_contain_text("the disk is full")
        expect(tab.get_by_label("Addresses")).to_have_value(URLS)
    tab.get_by_role("button", name="Add pages").click()
    expect(tab.get_by_role("status").first).to_contain_text("cannot connect to")
    expect(tab.get_by_label("Addresses")).to_have_value(URLS)
    tab.close()
