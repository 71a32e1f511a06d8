"""Views and the badge in Chromium, through the proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

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
        assert "Paragraph 7" in page.inner_text("#story")
        assert 0 == page.locator(".promo img").count()
        color = page.evaluate("getComputedStyle(document.body).color")
        assert "rgb(17, 34, 51)" == color  # of the site's style sheet
        assert "fixed" == page.evaluate(
            f"getComputedStyle(document.querySelector('{MARK}')).position"
        )
        page.click(f"{MARK} summary")
        page.click(f"{MARK} a:has-text('original')")
        page.wait_for_url(address)
        assert 1 == page.locator(".promo img").count()
        page.click(f"{MARK} summary")
        page.click(f"{MARK} a:has-text('Reader')")
        page.wait_for_url(address)
        assert 1 == page.locator("article h1").count()
        assert 0 == page.locator("body.paper").count()
        page.click("header a:has-text('filtered')")
        page.wait_for_url(address)
        assert 1 == page.locator("body.paper").count()
        assert 0 == page.locator(".promo img").count()


def test_what_a_page_fetches(proxy: Proxy, site: Site, page: Page) -> None:
    """Resources fetched by scripts are not rewritten."""
    page.goto(f"{site.http}/article")
    fetched = page.evaluate("fetch('/article').then(r => r.text())")
    assert "Section 3 of the paper" in fetched
    assert MARK not in fetched
    page.evaluate("r = new XMLHttpRequest(); r.open('GET', '/portal', false); r.send()")
    assert MARK not in page.evaluate("r.responseText")


def test_a_choice_is_remembered(proxy: Proxy, site: Site, page: Page) -> None:
    """The form linked from the badge saves the view of the site."""
    page.goto(f"{site.http}/portal")
    page.click(f"{MARK} summary")
    page.click(f"{MARK} a:has-text('Remember')")
    page.check("input[value=text]")
    page.click("button")
    page.wait_for_url(f"{site.http}/portal")
    assert 1 == page.locator("pre.text").count()
    page.goto(f"{site.http}/chunked")
    assert "Paragraph 7" in page.inner_text("pre.text")


def test_stopped_requests_throw_nothing(proxy: Proxy, site: Site, page: Page) -> None:
    """Scripts, pictures, styles and frames load empty, and a fetch is answered."""
    proxy.set(filters=Filters(ad_rules=("/banners/*",)))
    before = proxy.state.statistics.snapshot().n_stopped
    page.goto(f"{site.http}/scripted/advertised")
    page.wait_for_function("loaded.length == 7")
    expected = ["204", "iframe", "img", "img", "link", "script", "script"]
    assert expected == page.evaluate("loaded.map(String).sort()")
    assert [] == page.evaluate("errors")
    assert 7 == proxy.state.statistics.snapshot().n_stopped - before


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
        assert 0 == page.locator("a[href*=doubleclick]").count()
        assert "Paragraph 5" in page.inner_text("main")
        assert 1 == page.locator(MARK).count()
    assert MARK not in page.evaluate(f"fetch('{address}').then(r => r.text())")
