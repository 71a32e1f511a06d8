"""Passwords of users, and what users of a shared proxy reach, with real clients."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from tests.proxy.conftest import ANNA, BROWSER, Proxy, Reply
from tests.proxy.site import Site
from thresher.proxy.passwords import Lockout, hash_password
from thresher.proxy.settings import User


def test_passwords_cannot_be_guessed(proxy: Proxy, site: Site) -> None:
    """After five wrong passwords even the right one is refused for a while; others are served."""
    proxy.set(users={"anna": User(hash_password("grain")), "bert": User(hash_password("chaff"))})
    url = f"{site.http}/style.css"
    statuses = [proxy.get(url, "--proxy-user", f"anna:{n}").status for n in range(5)]
    assert [407] * 5 == statuses
    locked = proxy.get(url, *ANNA)
    assert 429 == locked.status
    assert "Too many wrong passwords" in locked.text
    assert 25 < int(locked.headers["retry-after"]) <= 30
    assert 429 == proxy.get(f"{site.https}/style.css", *ANNA).connect_status
    assert 200 == proxy.get(url, "--proxy-user", "bert:chaff").status
    proxy.addon("proxyauth")._lockout = Lockout()
    assert 200 == proxy.get(url, *ANNA).status


USERS: Final = {"anna": User(hash_password("grain"))}
GRAIN: Final = "the mill stood by the weir for two hundred years"


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
