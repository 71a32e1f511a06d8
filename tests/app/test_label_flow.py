"""The labelling desk in a browser: blocks, roles, the page view, and a slow network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.app.serving import serving
from tests.helpers.browser import IMPACTS, check_accessibility, expect
from tests.training.adapter.labelled import make_page, make_pages
from thresher.labelling.decisions import make_records
from thresher.labelling.model import NewPage
from thresher.labelling.store import LabelStore
from thresher.roles import ROLES

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route


@contextmanager
def open_desk(browser: Browser, folder: Path, pages: Iterable[NewPage]) -> Iterator[Page]:
    """Yield a tab on an app with pages to label; script errors fail the test."""
    LabelStore(folder / "labels.sqlite").add(pages)
    with serving(folder) as (address, _):
        context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
        page = context.new_page()
        said: list[str] = []
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto("/label")
        yield page
        context.close()
    assert [] == said


@pytest.fixture
def desk(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """Tab on an app with twelve pages to label; script errors fail the test."""
    pages = (NewPage(page.id, page.html, page.url) for page in make_pages(12))
    with open_desk(browser, tmp_path, pages) as tab:
        yield tab


def checked(desk: Page) -> list[bool]:
    return [box.is_checked() for box in desk.locator(".block input").all()]


def expect_checked(desk: Page, first: list[bool]) -> None:
    """Wait until the first blocks are marked so."""
    for place, is_kept in enumerate(first):
        expect(desk.locator(".block input").nth(place)).to_be_checked(checked=is_kept)


def to_next(desk: Page, key: str = "Enter") -> None:
    """Press a key, and wait for another page."""
    here = desk.locator(".sheet").get_attribute("data-page")
    desk.keyboard.press(key)
    desk.locator(f'.sheet:not([data-page="{here}"]), .empty').wait_for()


def test_blocks_are_labelled_by_keyboard_and_mouse(desk: Page) -> None:
    """Keys move, toggle, undo and continue; dragging marks several blocks."""
    suggested = checked(desk)
    first = suggested.index(True)
    expect(desk.locator(".block input").nth(first)).to_be_focused()
    desk.keyboard.press("Space")
    expect(desk.locator(".block input").nth(first)).not_to_be_checked()
    desk.keyboard.press("j")
    desk.keyboard.press("x")
    desk.keyboard.press("z")
    desk.keyboard.press("z")
    expect_checked(desk, suggested)
    desk.keyboard.press("n")
    expect_checked(desk, [False] * len(suggested))
    desk.keyboard.press("r")
    expect_checked(desk, suggested)

    blocks = desk.locator(".block")
    blocks.nth(0).scroll_into_view_if_needed()
    desk.mouse.move(*middle_of(desk, 0))
    desk.mouse.down()
    desk.mouse.move(*middle_of(desk, 2), steps=5)
    desk.mouse.up()
    expect_checked(desk, [True, True, True])
    blocks.nth(1).locator(".text").click()
    expect_checked(desk, [True, False, True])
    desk.keyboard.press("z")
    desk.keyboard.press("z")
    expect_checked(desk, suggested)
    check_accessibility(desk)


def middle_of(desk: Page, block: int) -> tuple[float, float]:
    box = desk.locator(".block").nth(block).bounding_box()
    assert box
    return box["x"] + 150, box["y"] + box["height"] / 2


def test_a_page_is_labelled_from_its_top(browser: Browser, tmp_path: Path) -> None:
    """A page opens at its top, though its content begins far below; a key leads there."""
    menu = "".join(f"<li><a href=/{n}>Mill number {n}</a>" for n in range(60))
    page = make_page(1)
    html = page.html.replace("<main>", f"<nav><ul>{menu}</ul></nav><main>")
    with open_desk(browser, tmp_path, [NewPage("far", html, page.url)]) as tab:
        first = tab.locator(".block input:checked").first
        expect(first).to_be_focused()
        assert 0 == tab.evaluate("scrollY")
        tab.keyboard.press("ArrowDown")
        expect(tab.locator(".block input:focus")).to_be_in_viewport()


def box(desk: Page, block: int) -> Locator:
    return desk.locator(".block input").nth(block)


def roles_of(desk: Page) -> list[str]:
    blocks = desk.locator(".block")
    found: list[str] = blocks.evaluate_all("all => all.map((each) => each.dataset.role)")
    return found


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
    to_next(desk)
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
    to_next(desk)
    given = first_record(tmp_path)["roles"]
    assert list(range(len(found))) == sorted(block for blocks in given.values() for block in blocks)
    assert [0] == given["advertisement"]


def test_roles_are_given_over_the_page_on_a_phone(desk: Page, tmp_path: Path) -> None:
    """Touching a text and then a role labels it, without sideways scroll; marks stay.

    The page takes the place of the list, and touching its texts marks blocks.
    """
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
    assert desk.evaluate("document.querySelector('.blocks').offsetWidth") <= 2
    check_accessibility(desk)
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


MANY: str = "".join(f"<p>The {n}th sheaf of rye was bound before noon." for n in range(1_005))

HASTE: str = """const wait = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => wait(window.isPatient ? ms : 500);"""
"""Makes time limits of requests short, until the page is patient."""


def part(desk: Page, block: int) -> Locator:
    return desk.locator(f'[data-canvas] [data-b="{block}"]').first


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


def test_long_pages_are_drawn_in_stretches_that_follow_the_focus(
    browser: Browser, tmp_path: Path
) -> None:
    """Beyond the first thousand blocks the next stretch is drawn, by its button or by moving."""
    with open_desk(browser, tmp_path, [NewPage("many", MANY, None)]) as desk:
        desk.keyboard.press("v")
        expect(part(desk, 0)).to_be_visible()
        desk.get_by_role("button", name="Later blocks").click()
        expect(part(desk, 1_000)).to_be_visible()
        part(desk, 1_000).click()
        expect(box(desk, 1_000)).to_be_focused()
        desk.keyboard.press("k")
        expect(part(desk, 999)).to_be_visible()
        expect(desk.get_by_role("button", name="Later blocks")).to_be_visible()


@pytest.mark.parametrize("is_slow", [False, True], ids=["gone", "slow"])
def test_a_page_that_cannot_be_drawn_can_be_tried_again(desk: Page, is_slow: bool) -> None:
    """If the server does not answer in time, a message says so, the list works, a retry draws."""
    desk.add_init_script(HASTE)
    # Set before the page comes: set later, it may come after the request on a busy machine.
    desk.route("**/drawn*", lambda route: None if is_slow else route.abort())
    desk.reload()
    desk.keyboard.press("v")
    expect(desk.locator("[data-drawn-bar]")).to_contain_text("the server is not responding")
    was = box(desk, 1).is_checked()
    box(desk, 1).click()
    expect(box(desk, 1)).to_be_checked(checked=not was)
    desk.unroute("**/drawn*")
    desk.evaluate("window.isPatient = true")
    desk.get_by_role("button", name="Retry").click()
    expect(part(desk, 1)).to_have_class("b here" if was else "b on here")


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


@pytest.mark.parametrize(
    ("pattern", "key", "says", "cancelled", "there"),
    [
        (
            "**/label/*/sheet",
            "Enter",
            "Loading the next page…",
            "The page could not be loaded: cancelled.",
            ':not([data-page="2"])',
        ),
        ("**/label/undo", "u", "Undoing…", "Not undone: cancelled", '[data-page="1"]'),
    ],
    ids=["load", "undo"],
)
def test_what_takes_long_can_be_cancelled(
    desk: Page, *, pattern: str, key: str, says: str, cancelled: str, there: str
) -> None:
    """Waiting is said and can be cancelled, after which the page is as it was, and asked again."""
    to_next(desk)
    gate = Gate(desk, pattern)
    desk.reload()
    desk.keyboard.press(key)
    expect(desk.locator(".working")).to_contain_text(says)
    desk.locator(".working").get_by_role("button", name="Cancel").press("Enter")
    expect(desk.get_by_role("alert")).to_contain_text(cancelled)
    gate.is_open = True
    desk.get_by_role("button", name="Retry").press("Enter")
    desk.locator(f".sheet{there}").wait_for()
