"""All pages in a browser: on a phone, on a desk, by keyboard, and looked at by axe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import pytest

from tests.app.every_page import EveryPage, serving_every_page
from tests.app.serving import serving
from tests.helpers.browser import IMPACTS, check_accessibility, expect
from tests.helpers.data import read_data

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

WIDTH: Final = 390
SCROLLED: Final = read_data("scrolled-sideways.js")

NUMBER_USABLE: Final = read_data("number-usable.js")
"""Numbers what can be used."""
FOCUSED: Final = read_data("focused.js")
"""The number of what has the focus, and whether it is in sight and looks like it."""


@pytest.fixture(scope="module")
def every_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EveryPage]:
    """An app with something on every page."""
    with serving_every_page(tmp_path_factory.mktemp("every")) as served:
        yield served


@pytest.fixture(scope="module")
def phone(browser: Browser, every_page: EveryPage) -> Iterator[Page]:
    """Tab of the size of a phone."""
    context = browser.new_context(
        base_url=every_page.address, viewport={"width": WIDTH, "height": 844}, has_touch=True
    )
    yield context.new_page()
    context.close()


def test_no_page_scrolls_sideways(phone: Page, every_page: EveryPage) -> None:
    """No page is wider than the phone, and none has a part that scrolls sideways."""
    found = []
    for name, path in every_page.paths.items():
        phone.goto(path)
        width = phone.evaluate("document.documentElement.scrollWidth")
        scrolled = phone.evaluate(SCROLLED)
        if width > WIDTH or scrolled:
            found.append(f"{name}: {width} px, {scrolled}")
    assert "" == "\n".join(found)


@pytest.mark.parametrize("name", ["compare", "trained", "measured", "label-pages", "train", "wide"])
def test_tables_are_cards(phone: Page, every_page: EveryPage, name: str) -> None:
    """Each row of a table is a card, in which every value stands beside its label."""
    phone.goto(every_page.paths[name])
    table = phone.locator("main table.cards").first
    head = table.locator(".heads th").all_inner_texts()
    row = table.locator("tbody tr:not(.heads)").first
    assert "grid" == row.evaluate("each => getComputedStyle(each).display")
    for cell in row.locator("td:not(.name)").all():
        label = cell.get_attribute("data-label") or ""
        shown = cell.evaluate("each => getComputedStyle(each, '::before').content")
        assert label in [each.strip() for each in head]
        assert f'"{label}"' == shown or not cell.inner_text().strip()
    assert "row" == row.get_attribute("role")


@pytest.mark.parametrize(("width", "scheme"), [(WIDTH, "dark"), (1280, "light")])
def test_axe_finds_nothing(
    browser: Browser, every_page: EveryPage, width: int, scheme: Literal["dark", "light"]
) -> None:
    """No page has anything that axe finds fault with, however slight."""
    size: ViewportSize = {"width": width, "height": 844}
    context = browser.new_context(base_url=every_page.address, viewport=size, color_scheme=scheme)
    page = context.new_page()
    for path in every_page.paths.values():
        page.goto(path)
        check_accessibility(page, impacts=IMPACTS)
    context.close()


@pytest.mark.parametrize("width", [WIDTH, 1280, 1920])
def test_pages_begin_at_the_same_edge(browser: Browser, every_page: EveryPage, width: int) -> None:
    """Headings begin where the menu does, as far from the left as it ends from the right.

    The menu, with its group Lab, and the colours stand in one row.
    """
    size: ViewportSize = {"width": width, "height": 844}
    page = browser.new_page(base_url=every_page.address, viewport=size)
    for name, path in every_page.paths.items():
        page.goto(path)
        middles = page.evaluate(
            "[...document.querySelectorAll('.brand img, .menu > ul > li, .theme')].map((each) => {"
            " const { top, bottom } = each.getBoundingClientRect(); return (top + bottom) / 2; })"
        )
        assert (name, True) == (name, max(middles) - min(middles) < 3)
        if name in ("read", "thread", "wide"):
            continue
        edges = page.evaluate(
            "[...document.querySelectorAll('.brand, main h1')]"
            ".map((each) => Math.round(each.getBoundingClientRect().left))"
        )
        assert (name, 1) == (name, len(set(edges)))
        right = page.locator("header .theme").evaluate(
            "(each) => document.body.clientWidth - each.getBoundingClientRect().right"
        )
        assert (name, True) == (name, abs(edges[0] - right) <= 1)
    page.close()


def test_file_buttons_look_alike(phone: Page, every_page: EveryPage) -> None:
    """Wherever a file is chosen, the button is the same."""
    looks = set()
    for name in ("start", "inspect-open", "compare-open", "label-pages"):
        phone.goto(every_page.paths[name])
        style = "getComputedStyle(each, '::file-selector-button')"
        get = f"each => ['font', 'padding', 'borderRadius'].map((n) => {style}[n]).join()"
        looks.add(phone.locator("input[type=file]").first.evaluate(get))
    assert 1 == len(looks)


def test_lab_is_used_by_keyboard(phone: Page, every_page: EveryPage) -> None:
    """It opens with what its pages are for, closes with Esc, and says where one is."""
    phone.goto(every_page.paths["start"])
    lab = phone.locator("summary", has_text="Lab")
    lab.press("Enter")
    phone.get_by_role("link", name="Rules what is always kept").press("Escape")
    expect(lab).to_be_focused()
    lab.press("Enter")
    phone.get_by_role("link", name="Rules what is always kept").press("Enter")
    phone.wait_for_url("**/rules")
    here = phone.locator("nav [aria-current]")
    expect(here).to_have_attribute("href", "/rules")


def test_a_page_that_is_not_there_leads_on(phone: Page) -> None:
    """The page for an address that does not exist lists the pages of the app."""
    phone.goto("/nowhere")
    expect(phone.get_by_role("alert")).to_have_text("There is no page at this address.")
    expect(phone.locator("main li a").last).to_have_attribute("href", "/leaderboard")
    check_accessibility(phone, impacts=IMPACTS)


@pytest.mark.parametrize("width", [WIDTH, 1280])
def test_everything_is_reached_by_keyboard(
    browser: Browser, every_page: EveryPage, width: int
) -> None:
    """Tab leads to all that can be used, in sight and with a visible focus, and out again."""
    size: ViewportSize = {"width": width, "height": 844}
    context = browser.new_context(base_url=every_page.address, viewport=size)
    page = context.new_page()
    for name, path in every_page.paths.items():
        page.goto(path)
        page.wait_for_load_state("networkidle")
        page.evaluate("document.activeElement?.blur()")
        left = set(page.evaluate(NUMBER_USABLE))
        assert left
        for _ in range(len(left) + 20):
            page.keyboard.press("Tab")
            number, is_seen = page.evaluate(FOCUSED)
            left.discard(number)
            assert is_seen, (name, number)
            if not left:
                break
        shown = "number => document.querySelector(`[data-number='${number}']`).outerHTML"
        assert (name, []) == (name, [page.evaluate(shown, number) for number in left])
    context.close()


def test_axe_finds_nothing_where_a_token_is_asked_for(browser: Browser, tmp_path: Path) -> None:
    """The form of the token has no faults, is used by keyboard, and a wrong token is said."""
    with serving(tmp_path, token="a token of some length") as (address, _):
        page = browser.new_page(base_url=address)
        page.goto("/")
        check_accessibility(page, impacts=IMPACTS)
        page.keyboard.type("not the token of this app")
        page.keyboard.press("Enter")
        page.get_by_role("alert").wait_for()
        check_accessibility(page, impacts=IMPACTS)
        page.keyboard.type("a token of some length")
        page.keyboard.press("Enter")
        page.get_by_label("Page address").wait_for()
        page.close()
