"""The labelling desk on a slow network: it says what it waits for, and waiting can be cancelled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.app.desk import open_desk
from tests.helpers.browser import check_accessibility, expect
from tests.training.adapter.labelled import make_pages
from thresher.labelling.model import NewPage
from thresher.labelling.store import LabelStore

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route


@pytest.fixture
def desk(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """Tab on an app with three pages to label; script errors fail the test."""
    pages = [NewPage(page.id, page.html, page.url) for page in make_pages(3)]
    with open_desk(browser, tmp_path, pages, "/label?page=1") as tab:
        yield tab


class Gate:
    """Lets requests wait until it is open."""

    def __init__(self, desk: Page, pattern: str) -> None:
        self.is_open = False
        desk.route(pattern, self._answer)

    def _answer(self, route: Route) -> None:
        if self.is_open:
            route.continue_()


def test_a_save_that_takes_long_says_so_and_can_be_cancelled(desk: Page, tmp_path: Path) -> None:
    """The marks stay on the page, and are saved when they are sent again."""
    gate = Gate(desk, "**/label/1")
    desk.keyboard.press("n")
    desk.keyboard.press("Enter")
    expect(desk.locator(".working")).to_contain_text("Saving…")
    check_accessibility(desk)
    desk.locator(".working").get_by_role("button", name="Cancel").press("Enter")
    expect(desk.locator(".working")).to_have_count(0)
    assert LabelStore(tmp_path / "labels.sqlite").label(1, "me") is None
    gate.is_open = True
    desk.get_by_role("button", name="Save and next").press("Enter")
    desk.locator('.sheet[data-page="2"]').wait_for()
    label = LabelStore(tmp_path / "labels.sqlite").label(1, "me")
    assert label and label.keep is not None and not label.keep.any()


def test_a_page_that_takes_long_to_load_can_be_cancelled(desk: Page) -> None:
    """Waiting for the next page is said and can be cancelled, and the page asked for again."""
    gate = Gate(desk, "**/label/*/sheet")
    desk.reload()
    desk.keyboard.press("Enter")
    expect(desk.locator(".working")).to_contain_text("Loading the next page…")
    desk.locator(".working").get_by_role("button", name="Cancel").press("Enter")
    expect(desk.get_by_role("alert")).to_contain_text("The page could not be loaded: cancelled.")
    gate.is_open = True
    desk.get_by_role("button", name="Retry").press("Enter")
    desk.locator('.sheet:not([data-page="1"])').wait_for()


def test_an_undo_that_takes_long_can_be_cancelled(desk: Page) -> None:
    """Waiting for it is said, and after Cancel the page is as it was."""
    desk.keyboard.press("Enter")
    desk.locator('.sheet[data-page="2"]').wait_for()
    gate = Gate(desk, "**/label/undo")
    desk.keyboard.press("u")
    expect(desk.locator(".working")).to_contain_text("Undoing…")
    desk.locator(".working").get_by_role("button", name="Cancel").press("Enter")
    expect(desk.get_by_role("alert")).to_contain_text("Not undone: cancelled")
    gate.is_open = True
    desk.get_by_role("button", name="Retry").press("Enter")
    desk.locator('.sheet[data-page="1"]').wait_for()
