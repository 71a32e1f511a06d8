"""Log page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers.browser import expect
from tests.proxy.pages.conftest import BY_PROXY, Pages
from thresher.filters import Filters

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.proxy.conftest import Proxy
    from tests.proxy.site import Site


def test_the_log_is_searched(pages: Pages) -> None:
    """Words are found in every field, and addresses are shown as text."""
    pages.state.log.add(None, "http://mill.example/<b>", "left alone", "a portal")
    pages.state.log.add("anna", "http://ads.example/x", "stopped", "||ads.example^ in the lists")
    text = pages.admin.get("/log").text
    assert "http://mill.example/&lt;b&gt;" in text
    assert text.index("ads.example") < text.index("mill.example")
    found = pages.admin.get("/log?words=STOPPED+anna").text
    assert "ads.example/x" in found
    assert "mill.example" not in found
    assert "No request contains this." in pages.admin.get("/log?words=barn").text


def test_the_log_is_the_administrators(pages: Pages) -> None:
    """What others visit is nothing for users."""
    pages.add_users("anna")
    assert 403 == pages.by(BY_PROXY, "anna").get("/log").status_code


@pytest.mark.slow
def test_requests_are_logged_with_reasons(proxy: Proxy, site: Site, browser: Browser) -> None:
    """A page and its stopped requests are in the log, with the rule that stopped them."""
    proxy.set(filters=Filters(ad_rules=("/banners/*",)))
    page = browser.new_page()
    page.goto(f"{site.http}/scripted/advertised")
    page.wait_for_function("loaded.length == 7")
    page.goto("http://thresher.internal/log?words=advertised")
    expect(page.locator("tbody")).to_contain_text(f"{site.http}/scripted/advertised")
    page.goto("http://thresher.internal/log?words=stopped")
    expect(page.locator("tbody tr").first).to_contain_text("/banners/* in your rules")
