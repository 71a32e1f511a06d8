"""The API page in a browser: a request that is tried out, and copied as a command and a program."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.helpers.browser import IMPACTS, check_accessibility, expect

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Page

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
