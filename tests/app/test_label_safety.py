"""Labels in a browser: nothing is lost, and disagreements are decided."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.app.pages.conftest import write_page
from tests.app.serving import serving
from tests.helpers.browser import IMPACTS, check_accessibility, dismiss_dialogs, expect
from thresher.labelling.decisions import list_decisions, make_records
from thresher.labelling.model import Label, NewPage, parse_given_roles
from thresher.labelling.reading import read_for_labels, text_of
from thresher.labelling.store import LabelStore

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LONG = "<p>" + "The mill stood by the river and ground the rye of the valley. " * 2000


class Desk:
    """An app that can be stopped and started, with a browser context for its tabs."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        self.folder = folder
        self.store = LabelStore(folder / "labels.sqlite")
        pages = [write_page(number).decode() for number in range(3)]
        self.store.add(NewPage(f"{n}.html", html) for n, html in enumerate((*pages, LONG)))

        self._server = ExitStack()
        self.address = ""
        self.start()
        self.tabs = browser.new_context(
            base_url=self.address, viewport={"width": 390, "height": 844}
        )

    def start(self) -> None:
        self.address, _ = self._server.enter_context(serving(self.folder, address=self.address))

    def stop(self) -> None:
        self._server.close()

    def tab(self, number: int = 1) -> Page:
        page = self.tabs.new_page()
        page.goto(f"/label?page={number}")
        return page

    def kept(self, number: int = 1) -> list[int] | None:
        label = self.store.label(number, "me")
        return None if label is None or label.keep is None else label.keep.nonzero()[0].tolist()


@pytest.fixture
def desk(browser: Browser, tmp_path: Path) -> Iterator[Desk]:
    """App with four pages to label, on a phone."""
    opened = Desk(tmp_path, browser)
    yield opened
    opened.tabs.close()
    opened.stop()


def expect_marked(page: Page, *blocks: int) -> None:
    boxes = page.locator(".block input")
    expect(page.locator(".block input:checked")).to_have_count(len(blocks))
    for block in blocks:
        expect(boxes.nth(block)).to_be_checked()


def mark_only(page: Page, *blocks: int) -> None:
    page.keyboard.press("n")
    for block in blocks:
        page.locator(".block input").nth(block).check()


def sheet(page: Page, number: int) -> None:
    page.locator(f'.sheet[data-page="{number}"]').wait_for()


@pytest.mark.parametrize("more", [(), (2,)], ids=["as they were", "with more"])
def test_save_is_retried_until_the_server_is_back(desk: Desk, more: tuple[int, ...]) -> None:
    """While the server is gone, the marks stay on the page, in sight of the message.

    The retry sends the marks as they are then; after changes it stays on the page.
    """
    page = desk.tab()
    mark_only(page, 0, 1)
    desk.stop()
    page.keyboard.press("Enter")
    note = page.get_by_role("alert").filter(has_text="Not saved – retrying")
    note.wait_for()
    box = note.bounding_box()
    assert box and 0 <= box["y"] < 844 and box["x"] >= 0 and box["x"] + box["width"] <= 390
    sheet(page, 1)
    for block in more:
        page.locator(".block input").nth(block).check()
    expect_marked(page, 0, 1, *more)
    desk.start()
    if more:
        page.get_by_text("Saved, with the changes made meanwhile").wait_for()
        sheet(page, 1)
    else:
        sheet(page, 2)
        expect(page.locator("[data-problem]")).to_be_hidden()
    assert [0, 1, *more] == desk.kept()


def test_leaving_with_unsaved_marks_asks(desk: Desk) -> None:
    """Leaving asks after a change, not before one nor after a save."""
    page = desk.tab()
    asked = dismiss_dialogs(page)
    page.locator(".block input").nth(0).click()
    with page.expect_event("dialog"):
        page.get_by_role("link", name="All pages").click(no_wait_after=True)
    expect(page).to_have_url(re.compile(r"/label\?page=1$"))
    assert ["beforeunload"] == asked
    before = page.locator(".block input").nth(0).is_checked()
    page.keyboard.press("z")
    expect(page.locator(".block input").nth(0)).to_be_checked(checked=not before)
    page.get_by_role("link", name="All pages").click()
    page.get_by_role("heading", name="Pages and labels").wait_for()
    assert ["beforeunload"] == asked


def test_undoing_with_unsaved_marks_asks(desk: Desk) -> None:
    """Undo keeps the marks and the label unless it is confirmed."""
    page = desk.tab()
    mark_only(page, 1)
    page.keyboard.press("Enter")
    sheet(page, 2)
    mark_only(page, 0)
    asked = dismiss_dialogs(page)
    with page.expect_event("dialog"):
        page.keyboard.press("u")
    sheet(page, 2)
    expect_marked(page, 0)
    assert ["confirm"] == asked
    assert [1] == desk.kept()


@pytest.mark.parametrize(("choice", "kept"), [("Keep mine", [0]), ("Load theirs", [1, 2])])
def test_two_tabs_do_not_overwrite_each_other(desk: Desk, choice: str, kept: list[int]) -> None:
    """The second tab to save is shown the conflict, with both choices."""
    first, second = desk.tab(), desk.tab()
    mark_only(first, 0)
    mark_only(second, 1, 2)
    second.keyboard.press("Enter")
    sheet(second, 2)
    first.keyboard.press("Enter")
    first.get_by_text("labelled elsewhere in the meantime; 3 blocks differ").wait_for()
    sheet(first, 1)
    expect_marked(first, 0)
    assert [1, 2] == desk.kept()
    first.get_by_role("button", name=choice).click()
    if choice == "Keep mine":
        sheet(first, 2)
    else:
        first.get_by_text("already labelled").wait_for()
        expect_marked(first, 1, 2)
    assert kept == desk.kept()


def test_marks_are_carried_to_changed_blocks(desk: Desk) -> None:
    """If the blocks were read otherwise meanwhile, blocks of the same text stay marked."""
    page = desk.tab()
    mark_only(page, 0, 1)
    page.evaluate(
        "document.querySelector('[data-label]').elements.blocks?.setAttribute('value', 'x')"
    )
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Load them and keep my marks").click()
    page.locator("[data-problem]").wait_for(state="hidden")
    expect_marked(page, 0, 1)
    page.keyboard.press("Enter")
    sheet(page, 2)
    assert [0, 1] == desk.kept()


def test_full_disk_is_named(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that cannot grow is called a full disk; the save succeeds once it can."""
    page = desk.tab(4)
    mark_only(page, 0)
    connect = sqlite3.connect

    def connect_full(*args: Any, **options: Any) -> sqlite3.Connection:
        db = connect(*args, **options)
        db.execute("PRAGMA max_page_count = 1")  # as many as there are
        return db

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", connect_full)
        page.keyboard.press("Enter")
        page.get_by_text("Not saved – retrying").filter(has_text="the disk is full").wait_for()
        expect_marked(page, 0)
    page.locator('.sheet:not([data-page="4"])').wait_for()
    assert [0] == desk.kept(4)


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    """Two pages that Ida and Tom labelled differently."""
    store = LabelStore(tmp_path / "labels.sqlite")
    for number in (1, 2):
        html = write_page(number).decode()
        store.add([NewPage(f"{number}.html", html)])
        shown = read_for_labels(html, None)
        for who, kept in (("Ida", (0, 1)), ("Tom", (1, 2))):
            keep = np.isin(np.arange(len(shown.blocks)), kept)
            store.save(Label(number, who, keep, text_of(shown, keep)))
    return store


@pytest.fixture(params=[390, 1280])
def page(browser: Browser, store: LabelStore, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The list of pages with their agreement."""
    with serving(store.path.parent) as (address, _):
        size = {"width": request.param, "height": 844}
        tab = browser.new_page(base_url=address, viewport=size)
        tab.goto("/label/pages?a=Ida&b=Tom")
        yield tab
        tab.close()


def test_disagreement_is_merged_block_by_block(page: Page, store: LabelStore) -> None:
    """The labels are side by side; the merged one and who decided are stored and exported."""
    width = page.evaluate("innerWidth")
    page.get_by_role("link", name="1.html").first.click()
    page.get_by_text("Ida and Tom differ on 2 of").wait_for()
    page.wait_for_load_state()
    check_accessibility(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    first = page.locator(".case.differs").first
    expect(first.locator("label.keep")).to_contain_text("Ida")
    expect(first.locator("label.drop")).to_contain_text("Tom")
    keep, drop = (first.locator(f"label.{name}").bounding_box() for name in ("keep", "drop"))
    assert keep and drop and keep["y"] == drop["y"]
    first.get_by_role("radio", name="Keep").check()
    page.get_by_role("button", name="Save and next").click()
    page.get_by_text("Not saved: 1 block is not decided yet").wait_for()
    page.wait_for_load_state()
    keep_first = page.locator(".case.differs").first.get_by_role("radio", name="Keep")
    expect(keep_first).to_be_checked()
    page.locator(".case.differs").nth(1).get_by_role("radio", name="Keep").check()
    page.get_by_role("button", name="Save and next").click()
    page.wait_for_url("**/label/2/decide**")
    decision = list_decisions(store)[1]
    assert ([0, 1, 2], "me", ("Ida", "Tom")) == (
        decision.keep.nonzero()[0].tolist(),
        decision.decider,
        decision.labellers,
    )
    assert [0, 1, 2] == next(make_records(store))["blocks"]


def test_whole_label_is_taken_and_looked_at(page: Page, store: LabelStore) -> None:
    """One press chooses all of one side; it is stored only with Save."""
    page.goto("/label/2/decide?a=Ida&b=Tom")
    page.get_by_role("button", name="Only differences").click()
    expect(page.locator(".case:visible")).to_have_count(2)
    page.get_by_role("button", name="Take all of Tom").click()
    assert {} == list_decisions(store)
    page.get_by_role("button", name="Save and next").click()
    page.wait_for_url("**/label/1/decide**")
    assert [1, 2] == list_decisions(store)[2].keep.nonzero()[0].tolist()


def test_roles_that_differ_are_decided(page: Page, store: LabelStore) -> None:
    """A block with two roles offers both; others are taken from the label that gives one."""
    for who, text in (("Ida", "0 title,1 body"), ("Tom", "1 caption,2 legal")):
        label = store.label(1, who)
        assert label
        roles = parse_given_roles(text, len(label.keep if label.keep is not None else ()))
        store.save(replace(label, roles=roles, made_at=0.0))
    page.goto("/label/1/decide?a=Ida&b=Tom")
    expect(page.locator("main")).to_contain_text("and on the role of 1")
    page.get_by_role("button", name="Take all of Ida").click()
    expect(page.get_by_role("radio", name="Body")).to_be_checked()
    page.get_by_role("radio", name="Caption").check()
    check_accessibility(page, impacts=IMPACTS)
    page.get_by_role("button", name="Save and next").click()
    page.wait_for_url("**/label/2/decide**")
    expected = {"title": [0], "caption": [1], "legal": [2]}
    assert expected == next(make_records(store))["roles"]
