"""Options of a page request from settings, rules and temporary views."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("mitmproxy", reason="the proxy needs mitmproxy: the extra proxy")

from mitmproxy import http

from tests.proxy.conftest import USERS
from thresher.proxy.requests import read_request
from thresher.proxy.settings import ProxySettings
from thresher.proxy.state import ProxyState
from thresher.sites.rulebook import HostRules

if TYPE_CHECKING:
    from thresher.proxy.requests import PageRequest

URL = "http://news.mill.example/rye"
NAVIGATION = {"Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate", "Accept": "text/html"}


def ask(state: ProxyState, user: str | None = None, **headers: str) -> PageRequest | None:
    """Read the request of a browser, with some headers replaced."""
    fields = NAVIGATION | {name.replace("_", "-"): value for name, value in headers.items()}
    return read_request(http.Request.make("GET", URL, headers=fields), user, state)


def test_a_navigation() -> None:
    """A navigation gets the default view and the badge."""
    found = ask(ProxyState(ProxySettings()))
    assert found
    assert (URL, "inplace", "inplace") == (found.url, found.profile.view, found.rules.view)
    assert not found.options.forced
    assert not found.options.is_guess
    assert not found.options.is_plain
    assert found.options.badge


def test_addresses_with_bytes() -> None:
    """Bytes in an address that are not UTF-8 are encoded, as a browser would have done."""
    request = http.Request.make("GET", URL, headers=NAVIGATION)
    request.data.path = b"/rye\xff?a=\xe9\xc3\xa9"
    request.headers["host"] = "news.mill.example\udcff"
    found = read_request(request, None, ProxyState(ProxySettings()))
    assert found and found.options.badge
    assert "http://news.mill.example%FF/rye%FF?a=%E9\u00e9" == found.url
    assert "%25FF" in found.options.badge.links[0][1]


def test_parts() -> None:
    """Frames have no badge; images and script requests are not pages."""
    state = ProxyState(ProxySettings())
    frame = ask(state, **{"Sec_Fetch_Dest": "iframe"})
    assert frame
    assert (True, None) == (frame.options.is_part, frame.options.badge)
    assert ask(state, **{"Sec_Fetch_Dest": "image"}) is None
    assert ask(state, **{"X_Requested_With": "XMLHttpRequest"}) is None


def test_hosts_that_are_never_opened() -> None:
    """A host includes its subdomains, but not hosts with the same suffix."""
    assert ask(ProxyState(ProxySettings(never_intercept=("Mill.example",)))) is None
    assert ask(ProxyState(ProxySettings(never_intercept=("ill.example",))))


def test_who_says_the_view() -> None:
    """Temporary views override rules, which override the profile."""
    state = ProxyState(ProxySettings(view="original"))
    assert ask(state) is None
    state.change_rules("mill.example", lambda _: HostRules(view="reader"))
    by_rules = ask(state)
    state.temporary_views.put("anna", URL, "text")
    by_choice = ask(state, "anna")
    assert by_rules and by_choice
    assert ("reader", "text") == (by_rules.rules.view, by_choice.rules.view)
    assert by_rules.options.forced and by_choice.options.forced
    of_others = ask(state, "bert")
    assert of_others and "reader" == of_others.rules.view


def test_users_choose_for_themselves() -> None:
    """What one user has chosen for a site is not how others see it."""
    state = ProxyState(ProxySettings(users=USERS))
    state.change_choices("anna", "mill.example", lambda _: HostRules(view="reader"))
    found = [ask(state, user) for user in USERS]
    assert ["reader", "inplace"] == [each and each.rules.view for each in found]
