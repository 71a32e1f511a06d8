"""The form that hides elements of a site."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest

from thresher.proxy.internal import answer
from thresher.proxy.own_forms import HIDE
from thresher.proxy.own_pages import Answer, Question
from thresher.proxy.passwords import hash_password
from thresher.proxy.settings import ProxySettings, User
from thresher.proxy.state import ProxyState

URL = "https://www.example.org/mill"


def send(state: ProxyState, user: str | None = None, origin: str | None = None, **more: str) -> int:
    """Open the form, send it, and return the status."""
    shown = answer(state, Question("GET", HIDE, urlencode({"url": URL, "drop": "<p>"}), user=user))
    token = re.search(r'name="token" value="(\w+)"', shown.body.decode())
    assert token and b"<p>" not in shown.body.partition(b"textarea")[2].partition(b"</t")[0]
    sent = {"url": URL, "token": token[1], "drop": ".promo\n#tail\n"} | more
    return post(state, sent, user, origin).status


def post(state: ProxyState, sent: dict[str, str], user: str | None, origin: str | None) -> Answer:
    """Send the form."""
    return answer(state, Question("POST", HIDE, "", urlencode(sent).encode(), origin, user))


def test_rules_are_saved_and_taken_back() -> None:
    """Selectors are added to the rules that apply to the page; undo removes just these."""
    state = ProxyState(ProxySettings())
    state.change_choices(None, "example.org", lambda known: known)
    assert 200 == send(state)
    assert 200 == send(state, drop=".other")
    assert (".promo", "#tail", ".other") == state.rules_of(None, URL).rules.drop
    assert 200 == send(state, undo="1")
    assert (".other",) == state.rules_of(None, URL).rules.drop


def test_users_hide_for_themselves() -> None:
    """A rule of one user is no other's."""
    hashed = hash_password("grain")
    state = ProxyState(ProxySettings(users={"anna": User(hashed), "bert": User(hashed)}))
    assert 200 == send(state, "anna")
    assert (".promo", "#tail") == state.rules_of("anna", URL).rules.drop
    assert () == state.rules_of("bert", URL).rules.drop == state.rules_of(None, URL).rules.drop


@pytest.mark.parametrize(
    ("status", "origin", "more"),
    [
        (403, "https://evil.example", {}),
        (403, None, {"token": "0"}),
        (400, None, {"url": "ftp://a.example/"}),
        (400, None, {"drop": "p:::"}),
    ],
)
def test_others_save_nothing(status: int, origin: str | None, more: dict[str, str]) -> None:
    """Other pages, other tokens and invalid values change nothing, and get no other status."""
    state = ProxyState(ProxySettings())
    assert status == send(state, origin=origin, **more)
    assert not state.rulebook.hosts
