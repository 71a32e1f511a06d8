"""Labelling over the page itself, in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.app.desk import open_desk
from tests.helpers.browser import check_accessibility, expect
from tests.training.adapter.labelled import make_pages
from thresher.labelling.model import NewPage

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

MANY: str = "".join(f"<p>The {n}th sheaf of rye was bound before noon." for n in range(1_005))

HASTE: str = """const wait = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => wait(window.isPatient ? ms : 500);"""
"""Makes time limits of requests short, until the page is patient."""


@pytest.fixture
def desk(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """Tab on an app with three pages to label, one of them long; script errors fail the test."""
    pages = [NewPage(page.id, page.html, page.url) for page in make_pages(2)]
    many = NewPage("many", MANY, None)
    with open_desk(browser, tmp_path, [*pages, many], "/label?page=1") as tab:
        yield tab


def part(desk: Page, block: int) -> Locator:
    return desk.locator(f'[data-canvas] [data-b="{block}"]').first


def box(desk: Page, block: int) -> Locator:
    return desk.locator(".block input").nth(block)


def test_texts_of_the_page_are_marked_like_blocks_of_the_list(desk: Page) -> None:
    """A click marks a block in both places; keys move in both; the view is remembered."""
    expect(desk.locator("[data-drawn]")).to_be_hidden()
    desk.keyboard.press("v")
    expect(part(desk, 1)).to_be_visible()
    expect(desk.locator(".blocks")).to_be_visible()
    check_accessibility(desk)
    was = box(desk, 1).is_checked()
    part(desk, 1).click()
    expect(box(desk, 1)).to_be_checked(checked=not was)
    expect(box(desk, 1)).to_be_focused()
    expect(part(desk, 1)).to_have_class("b here" if was else "b on here")
    desk.keyboard.press("Space")
    expect(part(desk, 1)).to_have_class("b on here" if was else "b here")
    desk.keyboard.press("j")
    expect(part(desk, 2)).to_have_class("b on here" if box(desk, 2).is_checked() else "b here")
    desk.keyboard.press("z")
    desk.keyboard.press("z")
    expect(box(desk, 1)).to_be_checked(checked=was)
    expect(part(desk, 1)).to_have_class("b on here" if was else "b here")
    desk.keyboard.press("Enter")
    desk.locator('.sheet:not([data-page="1"])').wait_for()
    expect(part(desk, 0)).to_be_visible()
    desk.keyboard.press("v")
    expect(desk.locator("[data-drawn]")).to_be_hidden()


def test_on_a_phone_the_page_takes_the_place_of_the_list(desk: Page) -> None:
    """Blocks are marked by touching their texts, without sideways scroll, and saved."""
    desk.set_viewport_size({"width": 390, "height": 844})
    desk.get_by_role("button", name="Page view").click()
    expect(part(desk, 1)).to_be_visible()
    check_accessibility(desk)
    assert desk.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert desk.evaluate("document.querySelector('.blocks').offsetWidth") <= 2
    was = box(desk, 1).is_checked()
    part(desk, 1).click()
    expect(box(desk, 1)).to_be_checked(checked=not was)
    desk.get_by_role("button", name="Save and next").click()
    desk.locator('.sheet:not([data-page="1"])').wait_for()
    desk.goto("/label?page=1")
    expect(box(desk, 1)).to_be_checked(checked=not was)


def test_long_pages_are_drawn_in_stretches_that_follow_the_focus(desk: Page) -> None:
    """Beyond the first thousand blocks the next stretch is drawn, by its button or by moving."""
    desk.goto("/label?page=3")
    desk.keyboard.press("v")
    expect(part(desk, 0)).to_be_visible()
    desk.get_by_role("button", name="Later blocks").click()
    expect(part(desk, 1_000)).to_be_visible()
    part(desk, 1_000).click()
    expect(box(desk, 1_000)).to_be_focused()
    desk.keyboard.press("k")
    expect(part(desk, 999)).to_be_visible()
    expect(desk.get_by_role("button", name="Later blocks")).to_be_visible()


def test_a_page_that_cannot_be_drawn_can_be_tried_again(desk: Page) -> None:
    """If the server does not answer, a message says so, the list still works, and a retry draws."""
    desk.route("**/drawn*", lambda route: route.abort())
    desk.keyboard.press("v")
    expect(desk.locator("[data-drawn-bar]")).to_contain_text("the server is not responding")
    was = box(desk, 1).is_checked()
    box(desk, 1).click()
    expect(box(desk, 1)).to_be_checked(checked=not was)
    desk.unroute("**/drawn*")
    desk.get_by_role("button", name="Retry").click()
    expect(part(desk, 1)).to_have_class("b here" if was else "b on here")


def test_a_page_that_takes_too_long_to_draw_can_be_tried_again(desk: Page) -> None:
    """The request has a time limit; after it a message says so, and a retry draws."""
    desk.add_init_script(HASTE)
    desk.reload()
    desk.route("**/drawn*", lambda route: None)
    desk.keyboard.press("v")
    expect(desk.locator("[data-drawn-bar]")).to_contain_text("the server is not responding")
    desk.unroute("**/drawn*")
    desk.evaluate("window.isPatient = true")
    desk.get_by_role("button", name="Retry").click()
    expect(part(desk, 1)).to_be_visible()


def test_without_storage_the_desk_works_and_forgets_the_view(desk: Page) -> None:
    """A browser that refuses storage costs no more than the memory of the view."""
    desk.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused') } })"
    )
    desk.goto("/label?page=2")
    was = box(desk, 1).is_checked()
    desk.keyboard.press("v")
    part(desk, 1).click()
    expect(box(desk, 1)).to_be_checked(checked=not was)
