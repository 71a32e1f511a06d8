"""Requests that block lists stop."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import pytest

from tests.proxy.conftest import Proxy
from tests.proxy.site import Site
from thresher.filters import BlockList, Filters
from thresher.proxy.requests import answer_stopped, stop_reason
from thresher.proxy.settings import Profile, ProxySettings, User
from thresher.proxy.state import ProxyState
from thresher.sites.rulebook import HostRules

AD = "https://ad.doubleclick.net/tag"
PAGE = "https://news.example/story"
NAVIGATION = {"sec-fetch-dest": "document", "sec-fetch-mode": "navigate"}
FRAME = {"sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate", "referer": PAGE}
FETCH = {"sec-fetch-dest": "empty", "sec-fetch-mode": "cors"}
SCRIPT = {"sec-fetch-dest": "script", "sec-fetch-mode": "no-cors", "referer": PAGE}
IMAGE = {"sec-fetch-dest": "image", "sec-fetch-mode": "no-cors", "referer": PAGE}
POPUP = NAVIGATION | {"sec-fetch-site": "cross-site", "referer": PAGE}
RULES = BlockList.parse(
    [
        "||pops.example^$popup",
        "||ads.example^",
        "/banner.$image,third-party",
        "/track.$xmlhttprequest,domain=news.example",
    ]
)


@pytest.fixture
def state() -> ProxyState:
    """State with a list."""
    state = ProxyState(ProxySettings())
    state.replace_blocklist(RULES)
    return state


@pytest.mark.parametrize(
    ("url", "headers", "expected"),
    [
        ("https://ads.example/x", SCRIPT, True),
        ("https://ads.example/x", FRAME, True),
        ("https://ads.example/", NAVIGATION | {"referer": PAGE}, False),
        ("https://ads.example/", {"sec-fetch-mode": "navigate", "sec-fetch-dest": "empty"}, False),
        ("https://ads.example/", POPUP, False),
        ("https://pops.example/go?to=1", POPUP, True),
        ("https://pops.example/go?to=1", POPUP | {"sec-fetch-site": "same-origin"}, False),
        ("https://pops.example/go?to=1", POPUP | {"origin": "https://news.example"}, False),
        ("https://pops.example/go?to=1", SCRIPT, False),
        ("https://ads.example/", {"accept": "text/html", "user-agent": "Mozilla/5.0"}, False),
        ("https://ads.example/", {"accept": "*/*", "user-agent": "Mozilla/5.0"}, True),
        ("https://ads.example/x", SCRIPT | {"referer": "https://www.ads.example/"}, False),
        ("https://cdn.example/banner.png", IMAGE, True),
        ("https://cdn.example/banner.png", SCRIPT, False),
        ("https://news.example/banner.png", IMAGE | {"sec-fetch-site": "same-origin"}, False),
        ("https://news.example/banner.png", IMAGE, False),
        ("https://b.example/banner.png", IMAGE | {"sec-fetch-site": "same-site"}, False),
        ("https://b.example/banner.png", {"sec-fetch-dest": "image"}, True),
        ("https://b.example/banner.png", IMAGE | {"sec-fetch-dest": "empty"}, True),
        (
            "https://b.example/banner.x",
            {"accept": "image/webp,*/*", "user-agent": "Mozilla/5.0", "referer": PAGE},
            True,
        ),
        ("https://b.example/track.php", FETCH | {"origin": "https://news.example"}, True),
        ("https://b.example/track.php", {"sec-fetch-dest": "empty"}, False),
    ],
)
def test_what_is_stopped(
    state: ProxyState, url: str, headers: dict[str, str], expected: bool
) -> None:
    """Kind, page and site of a request come from its headers; navigations are never stopped."""
    assert expected == (stop_reason(url, headers, None, state) is not None)


@pytest.mark.parametrize(
    "settings",
    [
        {"stop_requests": False},
        {"filters": Filters(ads=False)},
        {"filters": Filters(ads_allowed_on=("news.example",))},
        {"filters": Filters(ad_rules=("@@||ads.example^",))},
        {"view": "original"},
        {"users": {"anna": User("x", Profile("original"))}},
    ],
)
def test_where_nothing_is_stopped(state: ProxyState, settings: dict[str, object]) -> None:
    """The switch, the filter's, exceptions, and originals, each by user."""
    state.settings.replace(replace(state.settings.current, **settings))  # type: ignore[arg-type]
    user = "anna" if "users" in settings else None
    assert not stop_reason("https://ads.example/x", SCRIPT, user, state)


def test_original_pages_load_everything(state: ProxyState) -> None:
    """A page that is shown as its site sent it has its advertisements, for as long."""
    state.temporary_views.put(None, PAGE, "original")
    for page in (PAGE, "https://news.example/"):
        assert not stop_reason("https://ads.example/x", SCRIPT | {"referer": page}, None, state)
    assert stop_reason("https://ads.example/x", SCRIPT | {"referer": PAGE + "2"}, None, state)
    state.change_rules("calm.example", lambda _: HostRules(view="original"))
    calm = SCRIPT | {"referer": "https://calm.example/"}
    assert not stop_reason("https://ads.example/x", calm, None, state)


CONSENT = "https://consent.cookiebot.com/uc.js"


def test_consent_services_are_stopped(state: ProxyState) -> None:
    """Their scripts and frames are, whatever adds them, unless switched off; their site is not."""
    assert "consent.cookiebot.com asks for consent" == stop_reason(CONSENT, SCRIPT, None, state)
    assert stop_reason(CONSENT, FRAME, None, state)
    assert not stop_reason(CONSENT, IMAGE, None, state)
    assert not stop_reason(CONSENT, NAVIGATION | {"referer": PAGE}, None, state)
    own = SCRIPT | {"referer": "https://www.cookiebot.com/"}
    assert not stop_reason(CONSENT, own, None, state)
    state.change_rules("news.example", lambda _: HostRules(filters=(("ads", False),)))
    assert stop_reason(CONSENT, SCRIPT, None, state)
    state.change_rules("news.example", lambda _: HostRules(filters=(("consent_scripts", False),)))
    assert not stop_reason(CONSENT, SCRIPT, None, state)
    assert stop_reason("https://ads.example/x", SCRIPT, None, state)
    state.settings.replace(replace(state.settings.current, filters=Filters(consent_scripts=False)))
    assert not stop_reason(CONSENT, SCRIPT | {"referer": "https://calm.example/"}, None, state)


def test_the_reason_is_the_rule(state: ProxyState) -> None:
    """The rule is named with where it comes from, whether of hosts or of addresses."""
    rules = Filters(ad_rules=("/banners/*",))
    state.settings.replace(replace(state.settings.current, filters=rules))
    assert "||ads.example^ in the lists" == stop_reason(
        "https://x.ads.example/", SCRIPT, None, state
    )
    banner = "https://cdn.example/banners/1"
    assert "/banners/* in your rules" == stop_reason(banner, SCRIPT, None, state)


def test_advertisements_are_switched_for_a_site(state: ProxyState) -> None:
    """A site where the filter is off loads its advertisements; where it is on, it does not."""
    url, calm = "https://ads.example/x", SCRIPT | {"referer": "https://calm.example/"}
    state.change_rules("calm.example", lambda _: HostRules(filters=(("ads", False),)))
    assert not stop_reason(url, calm, None, state)
    assert stop_reason(url, SCRIPT, None, state)
    state.settings.replace(replace(state.settings.current, filters=Filters(ads=False)))
    state.change_rules("calm.example", lambda _: HostRules(filters=(("ads", True),)))
    assert stop_reason(url, calm, None, state)
    assert not stop_reason(url, SCRIPT, None, state)


@pytest.mark.parametrize(
    ("url", "headers", "status", "content_type"),
    [
        (AD, {"sec-fetch-dest": "script"}, 200, "text/javascript"),
        (AD, {"sec-fetch-dest": "style"}, 200, "text/css"),
        (AD, {"sec-fetch-dest": "image"}, 200, "image/gif"),
        (AD, {"sec-fetch-dest": "iframe"}, 200, "text/html"),
        (AD, {"sec-fetch-dest": "font"}, 204, ""),
        (AD, {"upgrade": "websocket"}, 204, ""),
        (f"{AD}.js?x", {}, 200, "text/javascript"),
        (f"{AD}.js", FETCH, 204, ""),
        (f"{AD}.css", {"accept": "text/css,*/*"}, 200, "text/css"),
    ],
)
def test_answers(url: str, headers: dict[str, str], status: int, content_type: str) -> None:
    """An answer is empty, of the type that was asked for, and allows what scripts ask first."""
    asked = {
        "origin": "https://news.example",
        "access-control-request-method": "PUT",
        "access-control-request-headers": "x-id",
    }
    answered, body, given = answer_stopped(url, headers | asked)
    assert (status, content_type) == (answered, given.get("content-type", "").partition(";")[0])
    assert len(body) < 50
    assert (204 == status) == (not body and not content_type)
    allowed = {"origin": "https://news.example", "credentials": "true"}
    allowed |= {"methods": "PUT", "headers": "x-id"}
    assert allowed == {name: given[f"access-control-allow-{name}"] for name in allowed}


def test_a_listed_host_is_never_asked(proxy: Proxy, site: Site) -> None:
    """Over HTTP and HTTPS the answer is the proxy's, and is counted; a post too."""
    before = deepcopy(proxy.state.statistics)
    headers = ("-H", "Sec-Fetch-Dest: script", "-H", f"Referer: {site.http}/article")
    for url in ("http://ad.doubleclick.net/tag.js", "https://ad.doubleclick.net/tag.js"):
        for options in ((), ("-d", "x=1")):
            reply = proxy.get(url, *headers, *options)
            assert (200, b"") == (reply.status, reply.body)
            assert reply.headers["content-type"].startswith("text/javascript")
    after = proxy.state.statistics
    assert 4 == after.n_stopped - before.n_stopped
    assert 4 <= after.stopped["ad.doubleclick.net"]


def test_addresses_of_the_site_itself(proxy: Proxy, site: Site) -> None:
    """A rule for an address stops it; without the switch, it is asked for."""
    blocklist = proxy.state.blocklist
    proxy.state.replace_blocklist(blocklist | BlockList.parse(["/banners/*$image"]))
    try:
        image = ("-H", "Sec-Fetch-Dest: image", "-H", f"Referer: {site.http}/article")
        n_seen = len(site.seen)
        reply = proxy.get(f"{site.http}/banners/own.png", *image)
        assert ("image/gif", n_seen) == (reply.headers["content-type"], len(site.seen))
        proxy.set(stop_requests=False)
        assert b"not stopped" == proxy.get(f"{site.http}/banners/own.png", *image).body
    finally:
        proxy.state.replace_blocklist(blocklist)
