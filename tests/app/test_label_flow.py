"""Flow from labelling to a trained model, in a browser and on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.app.desk import open_desk
from tests.cli.conftest import Command, command
from tests.helpers.browser import check_accessibility, expect
from tests.training.adapter.labelled import make_page, make_pages
from thresher.labelling.model import NewPage

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["command"]

BYLINE = 3
"""Index of the block that the labels keep and the shipped model drops."""
WITHIN_MS = 300_000


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


def test_label_undone(desk: Page) -> None:
    """Undo shows the page again with the suggestion, and decreases the count."""
    to_next(desk)
    desk.locator("[data-done]", has_text="1").wait_for()
    to_next(desk, "u")
    expect(desk.locator(".sheet")).to_have_attribute("data-page", "1")
    desk.locator("[data-done]", has_text="0").wait_for()


@pytest.mark.slow
def test_from_labels_to_the_command(desk: Page, command: Command, tmp_path: Path) -> None:
    """Twelve labelled pages train a perceptron, which the command line uses."""
    for _ in range(12):
        desk.locator(".block input").nth(BYLINE).check()
        to_next(desk)
    desk.get_by_role("heading", name="All 12 pages are labelled").wait_for()
    desk.goto("/label/pages")
    check_accessibility(desk)

    desk.goto("/train")
    check_accessibility(desk)
    desk.get_by_label("Folds").fill("2")
    desk.get_by_role("button", name="Train").click()
    desk.get_by_role("heading", name="Use this model").wait_for(timeout=WITHIN_MS)
    outcome = "your model is better than the shipped weights by"
    expect(desk.locator("main")).to_contain_text(outcome)
    desk.wait_for_load_state()
    check_accessibility(desk)
    desk.get_by_role("button", name="Use this model").click()
    desk.get_by_text("In use").wait_for()
    said = desk.locator("pre").first.inner_text()
    found = re.fullmatch(r"thresher extract page.html --model (\S+)\s*", said)
    assert found

    page = tmp_path / "page.html"
    page.write_text(make_page(77).html)
    assert "By Ruth Miller" not in command("extract", page).out
    assert "By Ruth Miller" in command("extract", page, "--model", found[1]).out

    desk.goto("/leaderboard")
    check_accessibility(desk)
    desk.get_by_role("button", name="Run evaluation").click()
    desk.get_by_role("heading", name="Accuracy and speed").wait_for(timeout=WITHIN_MS)
    desk.wait_for_load_state()
    check_accessibility(desk)
