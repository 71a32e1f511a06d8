"""All pages in a browser: on a phone, and looked at by axe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal

import pytest

from tests.app.every_page import EveryPage, serving_every_page
from tests.helpers.browser import IMPACTS, check_accessibility

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

WIDTH: Final = 390
SCROLLED: Final = """() => [...document.querySelectorAll("body *")].filter((each) =>
  each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1
  && ["auto", "scroll"].includes(getComputedStyle(each).overflowX)
  && !each.matches("textarea, select, input")
).map((each) => each.outerHTML.slice(0, 120))"""


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
