"""Forms of all pages in a browser: nothing typed or chosen is lost while the server is gone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.app.every_page import serving_every_page
from tests.app.serving import serving
from tests.helpers.browser import IMPACTS, check_accessibility, expect
from thresher.errors import FetchError, StorageError
from thresher.labelling.decisions import find_decision
from thresher.labelling.store import LabelStore

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser

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
