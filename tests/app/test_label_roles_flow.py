"""Roles of blocks in a browser: a key each, over the list and over the page, on a phone, too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.app.desk import open_desk
from tests.helpers.browser import IMPACTS, check_accessibility, expect
from tests.training.adapter.labelled import make_pages
from thresher.labelling.export import make_records
from thresher.labelling.model import NewPage
from thresher.labelling.store import LabelStore
from thresher.roles import ROLES

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page


@pytest.fixture
def desk(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """Tab on an app with two pages to label; script errors fail the test."""
    pages = [NewPage(page.id, page.html, page.url) for page in make_pages(2)]
    with open_desk(browser, tmp_path, pages, "/label?page=1") as tab:
        yield tab


def box(desk: Page, block: int) -> Locator:
    return desk.locator(".block input").nth(block)


def roles_of(desk: Page) -> list[str]:
    blocks = desk.locator(".block")
    found: list[str] = blocks.evaluate_all("all => all.map((each) => each.dataset.role)")
    return found


def save(desk: Page) -> None:
    desk.keyboard.press("Enter")
    desk.locator('.sheet:not([data-page="1"])').wait_for()


def first_record(folder: Path) -> dict[str, Any]:
    return next(make_records(LabelStore(folder / "labels.sqlite")))


def test_each_role_has_a_key(desk: Page) -> None:
    """All thirteen are given by one key, and their buttons say which."""
    for role, key in zip(ROLES, "1234567890lao", strict=True):
        box(desk, 1).focus()
        desk.keyboard.press(key)
        assert role == roles_of(desk)[1]
        button = desk.get_by_role("group", name="Role of the current block").locator(
            f'[data-give="{role}"]'
        )
        expect(button).to_have_text(f"{role.capitalize()} {key}")


def test_roles_are_given_by_keyboard_and_stored(desk: Page, tmp_path: Path) -> None:
    """A key gives the block its role and moves on; roles are undone, stored, shown and exported."""
    box(desk, 0).focus()
    desk.keyboard.press("0")
    expect(box(desk, 1)).to_be_focused()
    desk.keyboard.press("0")
    desk.keyboard.press("1")
    assert ["navigation", "navigation", "title", ""] == roles_of(desk)[:4]
    desk.keyboard.press("z")
    assert "" == roles_of(desk)[2]
    expect(box(desk, 2)).to_be_focused()
    desk.keyboard.press("1")
    desk.keyboard.press("k")
    desk.keyboard.press("k")
    desk.keyboard.press("Backspace")
    assert ["navigation", "", "title", ""] == roles_of(desk)[:4]
    check_accessibility(desk, impacts=IMPACTS)
    save(desk)
    assert {"title": [2], "navigation": [0]} == first_record(tmp_path)["roles"]
    desk.goto("/label?page=1")
    shown = desk.locator(".block [data-role-shown].given")
    expect(shown).to_have_text(["Navigation", "Title"])
    desk.keyboard.press("u")
    expect(shown).to_have_count(0)


def test_suggested_roles_are_taken_where_none_was_given(desk: Page, tmp_path: Path) -> None:
    """The suggestions are shown, become roles of the label only when they are taken, at once."""
    box(desk, 0).focus()
    desk.keyboard.press("R")
    expect(desk.locator(".block [data-role-shown]").nth(0)).to_be_visible()
    expect(desk.locator(".block [data-role-shown].given")).to_have_count(0)
    desk.keyboard.press("a")
    desk.keyboard.press("t")
    found = roles_of(desk)
    assert "advertisement" == found[0]
    assert all(found)
    desk.keyboard.press("z")
    assert ["advertisement"] == [role for role in roles_of(desk) if role]
    desk.keyboard.press("t")
    save(desk)
    given = first_record(tmp_path)["roles"]
    assert list(range(len(found))) == sorted(block for blocks in given.values() for block in blocks)
    assert [0] == given["advertisement"]


def test_roles_are_given_over_the_page_on_a_phone(desk: Page, tmp_path: Path) -> None:
    """Touching a text and then a role labels it, without sideways scroll; marks stay."""
    desk.set_viewport_size({"width": 390, "height": 844})
    desk.get_by_role("button", name="Roles", exact=False).first.click()
    shown = desk.locator(".block [data-role-shown]")
    was = box(desk, 3).is_checked()
    shown.nth(3).click()
    expect(box(desk, 3)).to_be_checked(checked=was)
    desk.get_by_role("button", name="Byline").click()
    assert "byline" == roles_of(desk)[3]
    expect(box(desk, 4)).to_be_focused()
    assert desk.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check_accessibility(desk, impacts=IMPACTS)
    desk.get_by_role("button", name="Page view").click()
    part = desk.locator('[data-canvas] [data-b="3"]').first
    expect(part).to_have_attribute("data-role", "byline")
    part.click()
    desk.get_by_role("button", name="Date").click()
    expect(part).to_have_attribute("data-role", "date")
    assert desk.evaluate("document.documentElement.scrollWidth <= innerWidth")
    desk.get_by_role("button", name="Save and next").click()
    desk.locator('.sheet:not([data-page="1"])').wait_for()
    assert {"date": [3]} == first_record(tmp_path)["roles"]


def test_a_save_that_fails_keeps_the_roles(desk: Page, tmp_path: Path) -> None:
    """Roles stay on the page while the server is gone, and are stored when it is back."""
    desk.route("**/label/1", lambda route: route.abort())
    box(desk, 0).focus()
    desk.keyboard.press("0")
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("alert")).to_contain_text("Not saved")
    assert "navigation" == roles_of(desk)[0]
    desk.unroute("**/label/1")
    desk.get_by_role("button", name="Retry now").click()
    desk.locator('.sheet:not([data-page="1"])').wait_for()
    assert {"navigation": [0]} == first_record(tmp_path)["roles"]
