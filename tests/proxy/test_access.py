"""Passwords of users, with real clients."""

from __future__ import annotations

from tests.proxy.conftest import ANNA, Proxy
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
