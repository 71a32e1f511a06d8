"""Pages that cannot be opened, with real clients."""

from __future__ import annotations

import re
import socket
from html import unescape
from typing import TYPE_CHECKING

import pytest

from tests.helpers.browser import expect
from tests.proxy.conftest import BROWSER, HOST, Proxy
from tests.proxy.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PERSON = (*BROWSER, "-A", "Mozilla/5.0")
ORIGIN = ("-H", "Origin: http://thresher.internal")


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.create_server((HOST, 0)) as free:
        port: int = free.getsockname()[1]
        return port


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_host_that_refuses(proxy: Proxy, scheme: str) -> None:
    """A person reads the cause and can try again, over HTTPS, too; a program gets 502."""
    address = f"{scheme}://{HOST}:{free_port()}/a"
    reply = proxy.get(address, *PERSON)
    assert (502, "failed") == (reply.status, reply.headers["x-thresher"])
    assert f"{HOST} refuses connections" in reply.text
    assert '<a href="">Try again</a>' in reply.text
    assert "Never open" not in reply.text
    program = proxy.get(address)
    assert 502 in (program.status, program.connect_status)
    assert "x-thresher" not in program.headers
    script = proxy.get(address, "-A", "Mozilla/5.0", "-H", "Sec-Fetch-Mode: cors")
    assert "x-thresher" not in script.headers


def test_a_form_is_not_sent_again(proxy: Proxy) -> None:
    """After a form there is no link that would open the page without what was typed."""
    reply = proxy.get(f"http://{HOST}:{free_port()}/a", *PERSON, "-d", "a=b")
    assert 502 == reply.status
    assert "Try again" not in reply.text


def test_a_host_that_is_never_opened_again(proxy: Proxy, site: Site) -> None:
    """A certificate that the proxy refuses can be left to the browser: by a form, for good."""
    address = f"{site.untrusted}/article"
    reply = proxy.get(address, *PERSON)
    assert f"{HOST} has no valid certificate" in reply.text
    link = re.search(r'href="(http://thresher.internal[^"]*)"', reply.text)
    assert link
    form = proxy.get(unescape(link[1]), *PERSON)
    token = re.search(r'name="token" value="(\w+)"', form.text)
    assert token
    assert not proxy.state.settings.current.never_intercept
    sent = ("--data-urlencode", f"url={address}", "-d", f"token={token[1]}")
    never = "http://thresher.internal/-/never"
    assert 403 == proxy.get(never, *sent, "-H", "Origin: http://evil.example").status
    assert 403 == proxy.get(never, *sent[:2], "-d", "token=0", *ORIGIN).status
    assert not proxy.state.settings.current.never_intercept
    assert 200 == proxy.get(never, *sent, *ORIGIN).status
    assert (HOST,) == proxy.state.settings.current.never_intercept


@pytest.mark.slow
def test_trying_again_in_a_browser(proxy: Proxy, browser: Browser) -> None:
    """Over HTTPS, too, a browser shows the page; each try is a new one, and no failure sticks."""
    page = browser.new_context(ignore_https_errors=True).new_page()
    port = free_port()
    for scheme in ("https", "http"):
        page.goto(f"{scheme}://{HOST}:{port}/a")
        expect(page.locator("h1")).to_have_text(f"{HOST} refuses connections")
        page.set_viewport_size({"width": 390, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with socket.create_server((HOST, port)) as server:
        page.click("text=Try again", no_wait_after=True)
        connection, _ = server.accept()
        with connection:
            connection.recv(65_536)
            head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n"
            connection.sendall(head + b"<h1>Back!")
            expect(page.locator("h1")).to_contain_text("Back!")
