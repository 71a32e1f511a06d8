"""Pages with scripts and styles of their own work in place as without the filter, in Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers.browser import expect
from tests.proxy.conftest import Proxy
from tests.proxy.scripted_pages import FILES
from tests.proxy.site import Site
from thresher.proxy.memory import SiteKinds

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
        if name in ("documentation", "hydrated", "asking"):
            expect(page.locator("body")).to_have_attribute("data-ready", "yes")
        assert [] == page.evaluate("errors")
        expect(page.locator("main")).to_contain_text("Paragraph 5")
        expect(page.locator(hidden).first).to_be_visible(visible=view == "original")


def test_search_and_tabs_work(proxy: Proxy, site: Site, page: Page) -> None:
    """What a person uses on the page does what it did."""
    open_page(proxy, page, f"{site.http}/scripted/documentation", "inplace")
    page.fill("[name=query]", "rye")
    expect(page.locator("[data-md-component=search-result] li")).to_have_text("rye in autumn")
    page.click("label:has-text('Drill')")
    expect(page.locator(".tabbed-content :visible", has_text="two fingers").first).to_be_visible()
    open_page(proxy, page, f"{site.http}/scripted/hydrated", "inplace")
    page.evaluate("document.getElementById('like').click()")
    expect(page.locator("#like")).to_have_text("1 likes")


@pytest.mark.parametrize("name", ["grid", "flex", "float"])
def test_text_keeps_its_column(proxy: Proxy, site: Site, page: Page, name: str) -> None:
    """Text is where it was and as wide, whatever was beside it."""
    places = []
    for view in ("original", "inplace"):
        open_page(proxy, page, f"{site.http}/scripted/{name}", view)
        places.append(page.evaluate(BOX))
    assert places[0] == places[1]


@pytest.mark.parametrize("name", ["flex", "float"])
def test_text_fills_a_narrow_window(proxy: Proxy, site: Site, page: Page, name: str) -> None:
    """On a phone, an empty column beside the text takes no space, whatever the page intended."""
    page.set_viewport_size({"width": 390, "height": 700})
    open_page(proxy, page, f"{site.http}/scripted/{name}", "inplace")
    _, _, width = page.evaluate(BOX)
    assert 300 < width <= 390


SHOWN = """[...document.querySelectorAll(selector)].filter(each => each.checkVisibility() &&
!each.closest("thresher-mark, [data-thresher]") &&
each.getBoundingClientRect().height > 1).length"""
WORKS = (
    "button,input,select,textarea,[role=alert],figcaption,summary,video,audio,canvas,iframe,svg"
    ",progress,output,[contenteditable],.price"
)
CLUTTER = {"battery": 2}
"""The field and the button of a newsletter."""


@pytest.mark.parametrize("width", [390, 1280])
def test_what_works_is_seen(proxy: Proxy, site: Site, page: Page, width: int) -> None:
    """Fields, buttons, players, warnings and captions are as many as without the proxy."""
    page.set_viewport_size({"width": width, "height": 800})
    cases = [path for path in FILES if path.startswith("/cases/") and not path.endswith("/ads")]
    for path in cases:
        counts = []
        proxy.state.site_kinds = SiteKinds()
        for view in ("original", "inplace"):
            open_page(proxy, page, f"{site.http}{path}", view)
            counts.append(page.evaluate(f"(selector => {SHOWN})({WORKS!r})"))
        assert counts[0] - CLUTTER.get(path.rpartition("/")[2], 0) == counts[1], path


def test_parts_of_pages_work(proxy: Proxy, site: Site, page: Page) -> None:
    """A stopped frame leaves no gap, a fixed header no band; buttons work, offers do not load."""
    open_page(proxy, page, f"{site.http}/cases/ads", "inplace")
    frame = page.locator("iframe[src*='an.yandex.ru']")
    expect(frame).to_be_attached()
    expect(frame).to_be_visible(visible=False)
    page.goto(f"{site.http}/cases/button")
    page.click("text=Show the tide")
    expect(page.locator("#o")).to_have_text("High water at noon")
    page.goto(f"{site.http}/scripted/fixed")
    expect(page.locator(".top")).to_be_visible()
    expect(page.locator(".top")).to_contain_text("Field 8")
    page.goto(f"{site.http}/scripted/asking")
    offer = page.locator("img.offer")
    expect(offer).to_have_class("offer seen")
    assert offer.get_attribute("src") is None


def test_a_text_in_an_application_keeps_the_menu(proxy: Proxy, site: Site, page: Page) -> None:
    """Once a site is known to be an application, its menu stays on all its pages."""
    menu = page.locator("nav.side")
    open_page(proxy, page, f"{site.http}/scripted/grid", "inplace")
    expect(menu).to_be_visible(visible=False)
    page.goto(f"{site.http}/cases/applications/settings")
    page.goto(f"{site.http}/cases/applications/calendar")
    page.goto(f"{site.http}/scripted/grid")
    expect(menu).to_be_visible()
