"""The form that puts a host on the list of those never intercepted."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from thresher.proxy.internal import answer
from thresher.proxy.own_forms import NEVER
from thresher.proxy.own_pages import Question
from thresher.proxy.passwords import hash_password
from thresher.proxy.settings import ProxySettings, User
from thresher.proxy.state import ProxyState

URL = "https://www.bücher.example/a?b=<c>"


def add(state: ProxyState, url: str, user: str | None = None) -> int:
    """Open the form and send it; return the status."""
    shown = answer(state, Question("GET", NEVER, urlencode({"url": url}), user=user))
    token = re.search(rb'name="token" value="(\w+)"', shown.body)
    if not token:
        return shown.status
    assert b"<c>" not in shown.body
    body = urlencode({"url": url, "token": token[1].decode()}).encode()
    return answer(state, Question("POST", NEVER, body=body, user=user)).status


def test_a_host_is_listed_once() -> None:
    """The host is on the list in Unicode, once, and not if a domain above it is."""
    state = ProxyState(ProxySettings(never_intercept=("bank.example",)))
    assert [200, 200, 200] == [add(state, url) for url in (URL, URL, "https://a.bank.example/")]
    assert ("bank.example", "www.bücher.example") == state.settings.current.never_intercept
    assert 400 == add(state, "ftp://a.example/")


def test_only_administrators_change_the_list() -> None:
    """The list is everybody's, so other users are refused."""
    hashed = hash_password("grain")
    users = {"anna": User(hashed), "bert": User(hashed, is_admin=True)}
    state = ProxyState(ProxySettings(users=users))
    assert [403, 403, 200] == [add(state, URL, user) for user in ("anna", None, "bert")]
    assert ("www.bücher.example",) == state.settings.current.never_intercept
