"""Pages with scripts and styles of their own work in place as without the filter, in Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.proxy.conftest import Proxy
from tests.proxy.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDTH_PX = 1400
PLACE = "(({left, top, width}) => [left, top, width].map(Math.round))"
BOX = f"{PLACE}(document.querySelector('#text p').getBoundingClientRect())"
"""Place and width of the first paragraph, in CSS pixels."""


@pytest.fixture
def page(browser: Browser) -> Page:
    """Open a tab of a fixed width."""
    return browser.new_context(viewport={"width": WIDTH_PX, "height": 900}).new_page()


def open_page(proxy: Proxy, page: Page, url: str, view: str) -> None:
    """Open a page in a view."""
    proxy.set(view=view)
    page.goto(url)


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        ("documentation", "nav.md-tabs"),
        ("hydrated", "nav.side"),
        ("asking", ".cookie-consent"),
        ("asking", "#menu"),
        ("asking", "img.offer"),
        ("grid", "nav.side"),
        ("flex", "aside"),
        ("float", ".side"),
    ],
)
def test_scripts_throw_nothing(
    proxy: Proxy, site: Site, page: Page, name: str, hidden: str
) -> None:
    """Scripts find what they name, and come to their end; what is hidden is not seen."""
    for view in ("original", "inplace"):
        open_page(proxy, page, f"{site.http}/scripted/{name}", view)
        assert [] == page.evaluate("errors")
        is_scripted = name in ("documentation", "hydrated", "asking")
        assert (page.evaluate("document.body.dataset.ready") == "yes") == is_scripted
        assert "Paragraph 5" in page.inner_text("main")
        assert (view == "original") == page.locator(f"{hidden}:visible").first.is_visible()


def test_search_and_tabs_work(proxy: Proxy, site: Site, page: Page) -> None:
    """What a person uses on the page does what it did."""
    open_page(proxy, page, f"{site.http}/scripted/documentation", "inplace")
    page.fill("[name=query]", "rye")
    assert "rye in autumn" == page.inner_text("[data-md-component=search-result] li")
    page.click("label:has-text('Drill')")
    assert "two fingers" in page.inner_text(".tabbed-content")
    open_page(proxy, page, f"{site.http}/scripted/hydrated", "inplace")
    page.evaluate("document.getElementById('like').click()")
    assert "1 likes" == page.text_content("#like")


@pytest.mark.parametrize("name", ["grid", "flex", "float"])
def test_text_keeps_its_column(proxy: Proxy, site: Site, page: Page, name: str) -> None:
    """Text is where it was and as wide, whatever was beside it."""
    places = []
    for view in ("original", "inplace"):
        open_page(proxy, page, f"{site.http}/scripted/{name}", view)
        places.append(page.evaluate(BOX))
    assert places[0] == places[1]


def test_no_band_below_a_fixed_header(proxy: Proxy, site: Site, page: Page) -> None:
    """The room that a page leaves for its header is not empty."""
    open_page(proxy, page, f"{site.http}/scripted/fixed", "inplace")
    assert page.locator(".top").is_visible()
    assert "Field 8" in page.inner_text(".top")


def test_hidden_elements_load_nothing(proxy: Proxy, site: Site, page: Page) -> None:
    """An advertisement that a script names stays, but is not asked for."""
    open_page(proxy, page, f"{site.http}/scripted/asking", "inplace")
    offer = page.locator("img.offer")
    assert "offer seen" == offer.get_attribute("class")
    assert offer.get_attribute("src") is None
