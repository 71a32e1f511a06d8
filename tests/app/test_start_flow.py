"""Forms in a browser: the start page, the API page and Train, and a server that is gone."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlsplit

import pytest

from tests.app.every_page import TRAINED, serving_every_page, write_run
from tests.app.serving import serving
from tests.helpers.browser import IMPACTS, check_accessibility, expect, wait_for_page
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
    expect(tab.get_by_role("status").get_by_text("Opening the page…")).to_be_visible()
    check_accessibility(tab)
    tab.locator(".working").get_by_role("button", name="Cancel").press("Enter")
    expect(tab.locator(".working")).to_have_count(0)
    expect(tab.get_by_label("Page address")).to_have_value(SLOW)
    answer.set()
    tab.get_by_role("button", name="Read", exact=True).click()
    wait_for_page(tab, "#title")
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
    with serving(tmp_path, address=address):
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
    with serving(tmp_path, address=app.address):
        save.click()
        tab.wait_for_url("**/label/3/decide**")
        decision = find_decision(LabelStore(tmp_path / "labels.sqlite"), 2)
        assert decision and kept == int(decision.keep.sum())
    tab.close()


def test_a_server_that_is_gone_takes_nothing_that_was_typed(
    browser: Browser, tmp_path: Path
) -> None:
    """The form stays with its address and HTML, says why, and opens the page when it can again."""
    tab = browser.new_page()
    with serving(tmp_path) as (address, _):
        tab.goto(f"{address}/inspect")
        tab.get_by_label("Page address").fill("https://mill.example/rye")
        tab.get_by_text("Paste HTML").click()
        tab.get_by_label("Page HTML").fill(PASTED)
    button = tab.get_by_role("button", name="Inspect HTML")
    button.click()
    expect(tab.get_by_role("alert")).to_contain_text("the server is not responding")
    expect(tab.get_by_label("Page HTML")).to_have_value(PASTED)
    expect(tab.get_by_label("Page address")).to_have_value("https://mill.example/rye")
    check_accessibility(tab, impacts=IMPACTS)
    with serving(tmp_path, address=address):
        button.press("Enter")
        expect(tab.locator("main")).to_contain_text("Rye is sown in autumn.")
    tab.close()


def test_what_was_opened_can_be_opened_again_after_a_restart(
    browser: Browser, tmp_path: Path
) -> None:
    """The tab keeps pasted HTML, and opens it again in any view; of a file it knows the name."""
    tab = browser.new_page()
    with serving(tmp_path) as (address, _):
        tab.goto(address)
        tab.get_by_text("Paste HTML").click()
        tab.get_by_label("Page HTML").fill(PASTED)
        tab.get_by_role("button", name="Read HTML").click()
        wait_for_page(tab, "#title")
        here = urlsplit(tab.url).path
    with serving(tmp_path, address=address):
        tab.goto(address + here.replace("/read", "/compare"))
        check_accessibility(tab, impacts=IMPACTS)
        tab.get_by_role("button", name="Open it again").press("Enter")
        expect(tab.locator("main")).to_contain_text("Rye is sown in autumn.")
        assert urlsplit(tab.url).path.startswith("/compare/")
        tab.goto(f"{address}/read/unknown")
        expect(tab.get_by_role("alert")).to_contain_text("This page has expired")
        expect(tab.get_by_role("button", name="Open it again")).to_be_hidden()
        tab.goto(address)
        file = {"name": "rye.html", "mimeType": "text/html", "buffer": PASTED.encode()}
        tab.get_by_label("Saved page").set_input_files(cast("FilePayload", file))
        wait_for_page(tab, "#title")
    with serving(tmp_path, address=address):
        tab.reload()
        expect(tab.locator("main")).to_contain_text("It was the file “rye.html”")
    tab.close()


HTML = '<title>Rye</title><article><h1>Rye</h1><p>Rye isn\'t sown in $PRING \\ "so".</p></article>'
SAID = 'Rye isn\'t sown in $PRING \\ "so".'


def fill(tab: Page, html: str) -> None:
    """Fill the form in, on a phone."""
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto("/api")
    tab.get_by_text("Paste HTML").click()
    tab.get_by_label("Page HTML").fill(html)
    tab.get_by_role("combobox", name="Format").select_option("text")
    tab.get_by_role("combobox", name="Method").select_option("keep_all")


def test_a_request_is_tried_out(tab: Page) -> None:
    """The answer is shown below the form, which keeps what was typed, without an answer too."""
    fill(tab, HTML)
    tab.get_by_role("button", name="Send").click()
    answer = tab.locator("[data-answer] pre")
    expect(tab.get_by_text("200 OK")).to_be_visible()
    expect(answer).to_contain_text('"method": "keep_all"')
    expect(tab.get_by_label("Page HTML")).to_have_value(HTML)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    check_accessibility(tab, impacts=IMPACTS)
    tab.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('gone')); }")
    tab.get_by_role("button", name="Send").click()
    expect(tab.get_by_text("The server is not responding")).to_be_visible()
    expect(tab.get_by_label("Page HTML")).to_have_value(HTML)


@pytest.mark.parametrize("language", ["curl", "Python"])
def test_a_request_is_copied_and_runs(tab: Page, language: str) -> None:
    """What is copied sends the same request, whatever its text has to be quoted."""
    if language == "curl" and not (shutil.which("curl") and shutil.which("sh")):
        pytest.skip("there is no curl here")
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    fill(tab, HTML)
    tab.get_by_role("button", name=f"Copy as {language}").click()
    expect(tab.get_by_text("Copied", exact=True)).to_be_visible()
    copied = tab.evaluate("navigator.clipboard.readText()")
    command = ["sh", "-c", copied] if language == "curl" else [sys.executable, "-c", copied]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    text = json.loads(done.stdout)["output"]["text"] if language == "curl" else done.stdout
    assert SAID in text


def test_progress_is_in_words(browser: Browser, tmp_path: Path) -> None:
    """A running run says its step and what is done, and follows its events."""
    event = {"event": "progress", "stage": "training", "done": 4, "total": 11, "curve": []}
    run = write_run(tmp_path, TRAINED, {"kind": "perceptron", "n_page": 40}, event)
    waits = [sys.executable, "-c", "import time; time.sleep(600)", TRAINED]
    with serving(tmp_path) as (address, _), subprocess.Popen(waits) as process:
        tab = browser.new_page()
        (run / "pid").write_text(str(process.pid))
        tab.goto(f"{address}/train/{TRAINED}")
        words = "Step 2 of 3, training the models: 4 of 11 models done."
        expect(tab.get_by_role("status")).to_have_text(words)
        with (run / "events.jsonl").open("a") as file:
            file.write(json.dumps({**event, "stage": "measuring", "done": 30, "total": 40}) + "\n")
        tab.get_by_text("evaluating on unseen sites: 30 of 40 pages done").wait_for()
        check_accessibility(tab)
        process.terminate()
        tab.close()
