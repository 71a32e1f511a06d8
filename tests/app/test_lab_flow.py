"""The API page and Train in a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.app.every_page import write_run
from tests.app.serving import serving
from tests.helpers.browser import IMPACTS, check_accessibility, expect
from tests.training.adapter.labelled import make_pages
from thresher.labelling.model import NewPage
from thresher.labelling.store import LabelStore

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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
    """The answer is shown below the form, which keeps what was typed."""
    fill(tab, HTML)
    tab.get_by_role("button", name="Send").click()
    answer = tab.locator("[data-answer] pre")
    expect(tab.get_by_text("200 OK")).to_be_visible()
    expect(answer).to_contain_text('"method": "keep_all"')
    expect(tab.get_by_label("Page HTML")).to_have_value(HTML)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    check_accessibility(tab, impacts=IMPACTS)


def test_a_server_that_is_gone_costs_nothing(tab: Page) -> None:
    """The form says that there is no answer, and what was typed stays."""
    fill(tab, HTML)
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


RUN = "train-20261123-120000-ab12"


@pytest.fixture
def train(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """Tab on an app with three labelled pages."""
    store = LabelStore(tmp_path / "labels.sqlite")
    store.add(NewPage(page.id, page.html, page.url) for page in make_pages(3))
    with serving(tmp_path) as (address, _):
        context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
        yield context.new_page()
        context.close()


def start_from(folder: Path, *events: dict[str, Any]) -> str:
    """Write a training run with its events; return its name."""
    run = write_run(folder, RUN, {"kind": "perceptron", "n_page": 40}, *events)
    (run / "weights.npz").touch()
    return run.name


def test_progress_is_in_words(train: Page, tmp_path: Path) -> None:
    """A running run says its step and what is done, and follows its events."""
    event = {"event": "progress", "stage": "training", "done": 4, "total": 11, "curve": []}
    name = start_from(tmp_path, event)
    run = tmp_path / "runs" / name
    waits = [sys.executable, "-c", "import time; time.sleep(600)", name]
    with subprocess.Popen(waits) as process:
        (run / "pid").write_text(str(process.pid))
        train.goto(f"/train/{name}")
        words = "Step 2 of 3, training the models: 4 of 11 models done."
        expect(train.get_by_role("status")).to_have_text(words)
        with (run / "events.jsonl").open("a") as file:
            file.write(json.dumps({**event, "stage": "measuring", "done": 30, "total": 40}) + "\n")
        train.get_by_text("evaluating on unseen sites: 30 of 40 pages done").wait_for()
        check_accessibility(train)
        process.terminate()
