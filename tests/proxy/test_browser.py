"""Views and the badge in Chromium, through the proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers.browser import expect
from tests.proxy.conftest import Proxy
from tests.proxy.site import Site
from thresher.filters import Filters

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MARK = "thresher-mark"


@pytest.fixture
def page(browser: Browser) -> Page:
    """Open a tab that accepts the proxy's certificates."""
    return browser.new_context(ignore_https_errors=True).new_page()


def test_from_view_to_view(proxy: Proxy, site: Site, page: Page) -> None:
    """Each view shows its content and links to the others."""
    for address in (f"{site.http}/article", f"{site.https}/policy"):
        page.goto(address)
        offers = page.locator(".promo img")
        expect(page.locator("#story")).to_contain_text("Paragraph 7")
        expect(offers).to_have_count(0)
        # Of the site's style sheet.
        expect(page.locator("body")).to_have_css("color", "rgb(17, 34, 51)")
        expect(page.locator(MARK)).to_have_css("position", "fixed")
        page.click(f"{MARK} summary")
        page.click(f"{MARK} a:has-text('original')")
        expect(offers).to_have_count(1)
        expect(page).to_have_url(address)
        page.click(f"{MARK} summary")
        page.click(f"{MARK} a:has-text('Reader')")
        back = page.locator("header a:has-text('filtered')")
        expect(back).to_be_visible()  # on the reader's page only
        expect(page).to_have_url(address)
        expect(page.locator("article h1")).to_have_count(1)
        expect(page.locator("body.paper")).to_have_count(0)
        back.click()
        expect(page.locator("body.paper")).to_have_count(1)
        expect(page).to_have_url(address)
        expect(offers).to_have_count(0)


def test_a_choice_is_remembered(proxy: Proxy, site: Site, page: Page) -> None:
    """The form linked from the badge saves the view of the site."""
    page.goto(f"{site.http}/portal")
    page.click(f"{MARK} summary")
    page.click(f"{MARK} a:has-text('View and filters')")
    page.check("input[value=text]")
    page.click("button")
    expect(page.locator("pre.text")).to_have_count(1)
    expect(page).to_have_url(f"{site.http}/portal")
    page.wait_for_load_state()
    page.goto(f"{site.http}/chunked")
    expect(page.locator("pre.text")).to_contain_text("Paragraph 7")


def test_stopped_requests_throw_nothing(proxy: Proxy, site: Site, page: Page) -> None:
    """Scripts, pictures, styles and frames load empty, and a fetch is answered."""
    proxy.set(filters=Filters(ad_rules=("/banners/*",)))
    before = proxy.state.statistics.n_stopped
    page.goto(f"{site.http}/scripted/advertised")
    page.wait_for_function("loaded.length == 7")
    expected = ["204", "iframe", "img", "img", "link", "script", "script"]
    assert expected == page.evaluate("loaded.map(String).sort()")
    assert [] == page.evaluate("errors")
    assert 7 == proxy.state.statistics.n_stopped - before


def test_a_popup_is_one_click_away(proxy: Proxy, site: Site, page: Page) -> None:
    """A popup is held back behind a page whose link opens it; the user's exception lets it pass."""
    rule = "||localhost^$popup"
    proxy.set(filters=Filters(ad_rules=(rule,)))
    address = f"{site.http.replace('127.0.0.1', 'localhost')}/article"
    page.goto(f"{site.http}/article")
    with page.expect_popup() as opened:
        page.evaluate("address => { window.open(address) }", address)
    popup = opened.value
    expect(popup.locator("h1")).to_contain_text("held back")
    exception = popup.locator("code").inner_text()
    popup.click("a:has-text('Go on')")
    expect(popup.locator("#story")).to_contain_text("Paragraph 7")
    proxy.set(filters=Filters(ad_rules=(rule, exception)))
    page.evaluate("address => { setTimeout(() => { location = address }) }", address)
    expect(page).to_have_url(address)
    expect(page.locator("#story")).to_contain_text("Paragraph 7")
    proxy.set(filters=Filters(ad_rules=(rule,)))
    page.goto(address)  # as if typed
    expect(page.locator("#story")).to_contain_text("Paragraph 7")


def test_pages_that_a_service_worker_fetches(proxy: Proxy, site: Site, page: Page) -> None:
    """A page is filtered whether the browser asks for it or a service worker does."""
    address = f"{site.http}/scripted/worked"
    page.goto(address)
    page.wait_for_function("document.title == 'ready'")
    for _ in range(2):
        page.goto(address)
        assert page.evaluate("navigator.serviceWorker.controller != null")
        asked = [headers for _, path, headers in site.seen if path == "/scripted/worked"][-1]
        assert "empty" == asked["Sec-Fetch-Dest"]
        expect(page.locator("a[href*=doubleclick]")).to_have_count(0)
        expect(page.locator("main")).to_contain_text("Paragraph 5")
        expect(page.locator(MARK)).to_have_count(1)
    assert MARK not in page.evaluate(f"fetch('{address}').then(r => r.text())")
