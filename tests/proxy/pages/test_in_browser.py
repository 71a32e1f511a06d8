"""Settings pages of a running proxy, by name and by port, with curl and in Chromium."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.helpers.browser import check_accessibility, expect
from tests.proxy.conftest import ANNA, BERT, BROWSER, USERS, Proxy, ask, first
from tests.proxy.pages.test_application import PATHS
from tests.proxy.site import Site
from thresher.filters.blocklist import own_blocklist

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SETTINGS = "http://thresher.internal"


def test_preview_runs_nothing(proxy: Proxy, site: Site, browser: Browser) -> None:
    """The preview follows the form, and runs no scripts of the page."""
    page = browser.new_context().new_page()
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{SETTINGS}/preview")
    page.fill("#url", f"{site.http}/chaff")
    page.select_option("select[name=method]", "keep_all")
    page.click("button:has-text('Show') >> nth=0")
    expect(page.locator("#outcome iframe")).to_have_count(2)
    before, after = (page.frame_locator(f"iframe >> nth={i}") for i in (0, 1))
    before.locator("#ad").wait_for()
    after.locator("#picture").wait_for()
    expect(after.locator("#ad")).to_have_count(0)
    page.click("#ignored-tags > summary")
    page.check("#f-images")
    page.wait_for_selector(".counts li:has-text('images: 1')")
    after.locator("#red").wait_for()
    expect(after.locator("#picture")).to_have_count(0)
    assert not proxy.state.settings.current.filters.images

    mean = (
        "<title>Mean</title><script>document.title = top.document.title = 'run'</script>"
        "<body onload='top.location = \"http://evil.example/\"'>"
        "<form id=f action='http://thresher.internal/filters/reset' method=post></form>"
        "<script>document.forms[0].submit()</script><p>The barn was full by night."
    )
    page.click("summary:has-text('Or paste HTML')")
    page.fill("#html", mean)
    page.click("button:has-text('Show') >> nth=0")
    before.locator("text=The barn was full").wait_for()
    expect(page).to_have_title("Preview · Thresher proxy")
    alone = page.get_attribute("iframe >> nth=0", "src")
    page.goto(SETTINGS + str(alone))
    expect(page).to_have_title("Mean")
    assert "null" == page.evaluate("self.origin")
    assert [] == said


@pytest.mark.parametrize("path", [each.removeprefix("/") for each in PATHS])
def test_accessibility(proxy: Proxy, browser: Browser, path: str) -> None:
    """The pages are accessible, and fit a small phone."""
    page = browser.new_context(viewport={"width": 360, "height": 800}).new_page()
    page.goto(f"{SETTINGS}/{path}")
    assert 360 == page.evaluate("document.documentElement.scrollWidth")
    check_accessibility(page)


def test_by_name_and_by_port(proxy: Proxy) -> None:
    """Pages are served by name over HTTP and HTTPS, and on the port, not through the proxy."""
    port = proxy.state.settings.current.settings_port
    assert "administrator" in proxy.get(f"{SETTINGS}/").text
    assert "The certificate works" in proxy.get("https://thresher.internal/certificate").text
    assert "administrator" in ask(f"http://127.0.0.1:{port}/", folder=proxy.folder).text
    for host in ("127.0.0.1", "localhost"):
        assert 403 == proxy.get(f"http://{host}:{port}/").status
        assert 403 == proxy.get(f"http://{host}:{port}/", "-p").status
    pem = proxy.get(f"{SETTINGS}/certificate/thresher-ca.pem")
    assert proxy.ca.read_bytes() == pem.body
    assert b"PRIVATE" not in pem.body


def test_lists_from_addresses(proxy: Proxy, site: Site) -> None:
    """Lists are fetched in the background and applied to the next page; removal too."""
    proxy.set(method="keep_all")
    token, n_own = proxy.state.token(None, "settings"), len(own_blocklist())

    form = ("-d", f"csrf={token}&list_hours=24&stop_requests=yes", "--data-urlencode")

    def use(urls: str, says: str) -> str:
        assert 303 == proxy.get(f"{SETTINGS}/lists", *form, f"list_urls={urls}").status
        until_s = time.monotonic() + 20
        while says not in (text := proxy.get(f"{SETTINGS}/lists").text):
            assert time.monotonic() < until_s
            time.sleep(0.05)
        return text

    text = use(
        f"{site.http}/hosts.txt\n{site.http}/huge\n{site.http}/portal",
        f"{n_own + 1} rules against ads and trackers",
    )
    assert "paper.example" not in proxy.get(f"{site.http}/chaff", *BROWSER).text
    assert 3 == text.count("<tr><td><code>")
    use("", f"{n_own} rules against ads and trackers")
    assert "paper.example" in proxy.get(f"{site.http}/chaff", *BROWSER).text


def test_a_user_and_the_administrator(proxy: Proxy, site: Site) -> None:
    """A user changes her own filters through the proxy; the port changes the rest."""
    proxy.set(users=USERS)
    assert 407 == proxy.get(f"{SETTINGS}/filters").status
    token = first(r'name="csrf" value="(\w+)"', proxy.get(f"{SETTINGS}/filters", *ANNA).text)
    form = ("-d", f"csrf={token}", "-d", "view=reader", "-d", "method=keep_all")
    assert 403 == proxy.get(f"{SETTINGS}/filters", *form, *BERT).status
    assert 303 == proxy.get(f"{SETTINGS}/filters", *form, *ANNA).status
    assert "<article>" in proxy.get(f"{site.http}/chaff", *BROWSER, *ANNA).text
    assert '<body class="paper">' in proxy.get(f"{site.http}/chaff", *BROWSER, *BERT).text
    assert 403 == proxy.get(f"{SETTINGS}/proxy", *ANNA).status
    port = proxy.state.settings.current.settings_port
    assert 403 == proxy.get(f"http://127.0.0.1:{port}/files/proxy.toml", *ANNA).status
    exported = ask(f"http://127.0.0.1:{port}/files/proxy.toml", folder=proxy.folder)
    assert '[user."anna".filters]' in exported.text
