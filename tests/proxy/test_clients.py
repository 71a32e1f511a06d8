"""Users, slow clients and pages that cannot be opened, with real clients."""

from __future__ import annotations

import socket
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import pytest

from tests.helpers.browser import expect
from tests.helpers.slow_clients import dribbling
from tests.proxy.conftest import ANNA, BERT, BROWSER, HOST, USERS, Proxy, Reply, first
from tests.proxy.site import GRAIN, Site
from thresher.proxy.passwords import Lockout

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_passwords_cannot_be_guessed(proxy: Proxy, site: Site) -> None:
    """After five wrong passwords even the right one is refused for a while; others are served."""
    proxy.set(users=USERS)
    url = f"{site.http}/style.css"
    statuses = [proxy.get(url, "--proxy-user", f"anna:{n}").status for n in range(5)]
    assert [407] * 5 == statuses
    locked = proxy.get(url, *ANNA)
    assert 429 == locked.status
    assert "Too many wrong passwords" in locked.text
    assert 25 < int(locked.headers["retry-after"]) <= 30
    assert 429 == proxy.get(f"{site.https}/style.css", *ANNA).connect_status
    assert 200 == proxy.get(url, *BERT).status
    proxy.addon("proxyauth")._lockout = Lockout()
    assert 200 == proxy.get(url, *ANNA).status


def is_shown(reply: Reply) -> bool:
    """Return whether the article was received."""
    return reply.status == 200 and GRAIN in reply.text


def test_users_reach_public_addresses_only(proxy: Proxy, site: Site) -> None:
    """Through a shared proxy, an address or name in a private network is refused."""
    port = urlsplit(site.http).port
    proxy.set(users=USERS, allowed_private=())
    for url in (f"{site.http}/article", f"http://localhost:{port}/article", "http://169.254.1.1/"):
        refused = proxy.get(url, *BROWSER, *ANNA)
        assert 502 == refused.status
        assert "private network" in refused.text
    assert 403 == proxy.get(f"{site.http}/article", *ANNA, "-p").connect_status
    assert 56 == proxy.get(f"{site.https}/article", *ANNA).exit
    # A name whose address was public when it was checked reaches nothing private (rebinding).
    fences, n_asked = proxy.addon("fences"), len(site.seen)
    before, fences._resolver = fences._resolver, lambda host, port: ["93.184.216.34"]
    try:
        reply = proxy.get(f"{site.http}/article", *BROWSER, *ANNA)
    finally:
        fences._resolver = before
    assert (502, n_asked) == (reply.status, len(site.seen))
    assert GRAIN not in reply.text
    proxy.set(users=USERS, allowed_private=("127.0.0.0/8",))
    assert is_shown(proxy.get(f"{site.https}/article", *BROWSER, *ANNA))
    proxy.set(users=USERS, allowed_private=("localhost",))
    assert is_shown(proxy.get(f"http://localhost:{port}/article", *BROWSER, *ANNA))
    proxy.set(users={}, allowed_private=())
    assert is_shown(proxy.get(f"{site.http}/article", *BROWSER))


def test_tunnels_to_other_ports(proxy: Proxy, site: Site) -> None:
    """Users of a shared proxy open tunnels to port 443 alone, unless allowed."""
    port = urlsplit(site.https).port
    proxy.set(users=USERS, connect_ports=("443",))
    refused = proxy.get(f"{site.https}/article", *BROWSER, *ANNA)
    assert (56, 403) == (refused.exit, refused.connect_status)
    assert 200 == proxy.get("http://thresher.internal/", "-p", *ANNA).connect_status
    proxy.set(users=USERS, connect_ports=(f"{port}",))
    assert is_shown(proxy.get(f"{site.https}/article", *BROWSER, *ANNA))


WAIT_S: Final = 30.0


@pytest.fixture
def limit(proxy: Proxy) -> Any:
    """Return a function that sets limits until the end of the test."""
    addon = proxy.addon("slowclients")
    table, before = addon._table, addon._table._limits

    def change(**limits: Any) -> Any:
        table._limits = replace(before, **limits)
        return addon

    yield change
    table._limits = before


def dribble(slow: socket.socket) -> None:
    """Send a byte now and then until the connection is closed."""
    until_s = time.monotonic() + WAIT_S
    slow.settimeout(0.1)
    while time.monotonic() < until_s:
        try:
            slow.send(b"x")
            if not slow.recv(1000):
                return
        except TimeoutError:
            continue
        except OSError:
            return
    raise AssertionError("the connection stays open")


@pytest.mark.parametrize("sent", [b"", b"GET http://a", b"CONNECT a.example:443 HT", b"\x16\x03"])
def test_a_first_request_that_dribbles_is_cut_off(proxy: Proxy, limit: Any, sent: bytes) -> None:
    """A client that does not make its first request in time is cut off, whatever it sends."""
    limit(header_s=0.5)
    with proxy.connect(sent) as slow:
        dribble(slow)


def test_a_tunnel_without_use_is_cut_off(proxy: Proxy, site: Site, limit: Any) -> None:
    """A tunnel through which nothing whole comes in time is closed."""
    limit(header_s=1.0)
    target = urlsplit(site.https).netloc.encode()
    connect = b"CONNECT %b HTTP/1.1\r\nHost: %b\r\n\r\n" % (target, target)
    with proxy.connect(connect) as slow:
        assert b" 200 " in slow.recv(1000)
        slow.sendall(b"\x16\x03\x01\x00\xff")
        dribble(slow)


def test_kept_connections_stay_open(proxy: Proxy, site: Site, limit: Any) -> None:
    """A connection that has had a request may wait longer than for the first."""
    limit(header_s=0.5)
    ask = f"GET {site.http}/article HTTP/1.1\r\nHost: {urlsplit(site.http).netloc}\r\n\r\n".encode()
    with proxy.connect(ask) as client:
        assert b" 200 " in client.recv(2**20)
        client.settimeout(2.0)
        with pytest.raises(TimeoutError):
            while client.recv(2**20):
                pass
        client.settimeout(WAIT_S)
        client.sendall(ask)
        assert b" 200 " in client.recv(2**20)


def test_requests_are_answered_beside_dribbling_sockets(
    proxy: Proxy, site: Site, limit: Any
) -> None:
    """With more slow connections than may be open, whole requests are answered."""
    addon = limit(max_connections=40, header_s=WAIT_S)
    with dribbling(proxy.port, 50, every_s=1.0) as errors:
        for _ in range(3):
            assert 200 == proxy.get(f"{site.http}/article", *BROWSER).status
            assert 200 == proxy.get(f"{site.https}/article", *BROWSER).status
            assert len(addon) <= 40
    assert [] == errors


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
    form = proxy.get(first(r'href="(http://thresher.internal[^"]*)"', reply.text), *PERSON)
    token = first(r'name="token" value="(\w+)"', form.text)
    assert not proxy.state.settings.current.never_intercept
    sent = ("--data-urlencode", f"url={address}", "-d", f"token={token}")
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
