"""The proxy's own address: links, answers and forms."""

from __future__ import annotations

import errno
import re
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from thresher.proxy.internal import NEVER, answer, make_badge
from thresher.proxy.own_pages import (
    Answer,
    Question,
    lead_to,
    names_site,
    read_form,
    write_sentence,
)
from thresher.proxy.page_parts import STYLE_SOURCE, Badge, write_badge
from thresher.proxy.passwords import hash_password
from thresher.proxy.picker import HIDE
from thresher.proxy.settings import ProxySettings, User
from thresher.proxy.state import ProxyState


def test_answers() -> None:
    """Sentences are escaped, headers ASCII, the first of duplicate fields counts; links are web."""
    assert b"&lt;b&gt;" in write_sentence(400, "<b>").body
    location = lead_to("https://a.example/é?a=%20").headers["location"]
    assert "https://a.example/%C3%A9?a=%20" == location
    assert {"a": "1", "b": "2"} == read_form("a=1&a=3&b=2&c=")
    assert {} == read_form("&".join("a=1" for _ in range(200)))
    assert names_site("https://a.example/")
    for url in ("http://[", "javascript:alert()", "/a", "https://a.example/\n"):
        assert not names_site(url)


URL = "https://www.example.org/mill?a=1&b=é"


def follow(state: ProxyState, address: str, user: str | None = None) -> Answer:
    """Request a link."""
    parts = urlsplit(address)
    return answer(state, Question("GET", parts.path, parts.query, user=user))


def test_a_link_shows_a_page_once() -> None:
    """A link sets a temporary view for the user and redirects back."""
    state = ProxyState(ProxySettings())
    address = dict(make_badge(state, "anna", URL, "inplace").links)["Reader view"]
    said = follow(state, address, "anna")
    assert 303 == said.status
    assert "reader" == state.temporary_views.get("anna", URL)
    assert state.temporary_views.get(None, URL) is None
    assert not state.rulebook.hosts


@pytest.mark.parametrize(
    "change",
    [{"view": "text"}, {"url": "https://evil.example/"}, {"token": "0"}, {"url": "javascript:x"}],
)
def test_a_link_is_for_one_host_and_view(change: dict[str, str]) -> None:
    """A token is valid for one host and view only."""
    state = ProxyState(ProxySettings())
    address = dict(make_badge(state, None, URL, "inplace").links)["Reader view"]
    query = dict(part.split("=", 1) for part in urlsplit(address).query.split("&"))
    query = {"url": URL, "view": "reader", "token": query["token"]} | change
    said = follow(state, f"http://thresher.internal/-/view?{urlencode(query)}")
    assert 403 == said.status
    assert state.temporary_views.get(None, query["url"]) is None


REMEMBER = "/-/remember"


def open_form(state: ProxyState, path: str, user: str | None = None, **asked: str) -> str:
    """Open a form, and return it; it cannot be framed."""
    said = answer(state, Question("GET", path, urlencode({"url": URL} | asked), user=user))
    assert "frame-ancestors 'none'" in said.headers["content-security-policy"]
    return said.body.decode()


def send(
    state: ProxyState, path: str, user: str | None = None, origin: str | None = None, **fields: str
) -> int:
    """Open a form and send it, with some fields changed; return the status."""
    token = re.search(r'name="token" value="(\w+)"', open_form(state, path, user))
    sent = {"url": URL, "view": "reader", "drop": ".promo\n#tail\n"}
    sent["token"] = token[1] if token else ""
    body = urlencode(sent | fields).encode()
    return answer(state, Question("POST", path, "", body, origin, user)).status


def users_state(**admins: bool) -> ProxyState:
    """Return the state of a proxy with some users."""
    hashed = hash_password("grain")
    users = {name: User(hashed, is_admin=is_admin) for name, is_admin in admins.items()}
    return ProxyState(ProxySettings(users=users))


def test_the_form_remembers() -> None:
    """The form saves and resets the view of a host."""
    state = ProxyState(ProxySettings())
    assert 200 == send(state, REMEMBER, origin="http://thresher.internal")
    assert "reader" == state.rulebook.of(URL).view
    assert 200 == send(state, REMEMBER, view="")
    assert not state.rulebook.hosts


def test_the_form_switches_filters() -> None:
    """A filter is off, on, or as on other sites; the form shows what was chosen."""
    state = ProxyState(ProxySettings())
    sent = {"filter-ads": "off", "filter-images": "on", "filter-consent": "", "filter-x": "on"}
    assert 200 == send(state, REMEMBER, view="", **sent)
    assert (("ads", False), ("images", True)) == state.rulebook.of(URL).filters
    shown = open_form(state, REMEMBER)
    lists = dict(re.findall(r'<select name="filter-(\w+)">(.*?)</select>', shown))
    assert '<option value="off" selected>' in lists["ads"]
    assert '<option value="on" selected>' in lists["images"]
    assert '<option value="" selected>Same as other sites (on)' in lists["consent"]
    assert 200 == send(state, REMEMBER, view="")
    assert not state.rulebook.hosts


@pytest.mark.parametrize("path", [REMEMBER, HIDE])
def test_other_pages_cannot_send_a_form(path: str) -> None:
    """Invalid tokens, values, other origins, methods and sites change nothing."""
    state = ProxyState(ProxySettings())
    theirs = state.token("bert", path)
    assert 403 == send(state, path, "anna", "http://thresher.internal", token="0")
    assert 403 == send(state, path, "anna", "http://thresher.internal", token=theirs)
    assert 403 == send(state, path, "anna", "https://evil.example")
    assert 403 == answer(state, Question("POST", path, "", b"&" * 5000)).status
    assert 400 == send(state, path, url="ftp://a/")
    assert 400 == send(state, path, view="glasses", drop="p:::")
    assert 400 == answer(state, Question("GET", path, "url=http://[")).status
    assert 404 == answer(state, Question("GET", "/-/x")).status
    assert "<form" in open_form(state, path, "anna", token=state.token("anna", path))
    assert not state.rulebook.hosts


@pytest.mark.parametrize(
    ("path", "expected"), [(HIDE, 200), (NEVER, 200), (REMEMBER, 404), ("/-/view", 404)]
)
def test_other_methods(path: str, expected: int) -> None:
    """A method that is neither GET nor POST shows two of the forms, and changes nothing."""
    state = ProxyState(ProxySettings())
    said = answer(state, Question("PUT", path, urlencode({"url": URL})))
    assert expected == said.status
    assert (expected == 200) == (b"<form" in said.body)
    assert not state.rulebook.hosts
    assert () == state.settings.current.never_intercept


def test_a_choice_that_cannot_be_saved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A full disk or a missing permission is said on a page."""

    def fail(*args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("thresher.sites.rulebook.save_rulebook", fail)
    state = ProxyState(ProxySettings(), rules_path=tmp_path / "rules.toml")
    assert 500 == send(state, REMEMBER, view="text")


def test_rules_are_saved_and_taken_back() -> None:
    """Selectors join the rules that apply; undo removes just these; users have their own."""
    state = ProxyState(ProxySettings())
    state.change_choices(None, "example.org", lambda known: known)
    shown = open_form(state, HIDE, drop="<p>").partition("textarea")[2].partition("</t")[0]
    assert "<p>" not in shown
    assert 200 == send(state, HIDE)
    assert 200 == send(state, HIDE, drop=".other")
    assert (".promo", "#tail", ".other") == state.rules_of(None, URL).rules.drop
    assert 200 == send(state, HIDE, undo="1")
    assert (".other",) == state.rules_of(None, URL).rules.drop
    state = users_state(anna=False, bert=False)
    assert 200 == send(state, HIDE, "anna")
    assert (".promo", "#tail") == state.rules_of("anna", URL).rules.drop
    assert () == state.rules_of("bert", URL).rules.drop == state.rules_of(None, URL).rules.drop


def test_a_host_is_listed_once() -> None:
    """A host is on the list in Unicode, once, not if a domain above it is; users are refused."""
    state = ProxyState(ProxySettings(never_intercept=("bank.example",)))
    url = "https://www.bücher.example/a?b=<c>"
    assert "<c>" not in open_form(state, NEVER, url=url)
    for address in (url, url, "https://a.bank.example/"):
        assert 200 == send(state, NEVER, url=address)
    assert ("bank.example", "www.bücher.example") == state.settings.current.never_intercept
    assert 400 == send(state, NEVER, url="ftp://a.example/")
    state = users_state(anna=False, bert=True)
    assert [403, 403, 200] == [send(state, NEVER, user) for user in ("anna", None, "bert")]
    assert ("www.example.org",) == state.settings.current.never_intercept


def test_the_mark_fits_any_page() -> None:
    """The badge is ASCII, balanced, escaped, and its style has the right hash."""
    written = write_badge(Badge((("<b>é", 'http://a/"><script>'),)), "é </p>", "")
    assert written.isascii()
    assert "<script>" not in written
    assert "<b>" not in written
    assert written.count("<a ") == written.count("</a>")
    assert STYLE_SOURCE.startswith("'sha256-")


@pytest.mark.parametrize(
    ("base", "is_shown"),
    [
        ("", True),
        ("<base target=_blank>", True),
        ('<base href="/news/">', True),
        ('<BASE HREF="https://other.example/">', False),
        ("<base href=//other.example>", False),
        ("<base target=_top href='&#47;/other.example/'>", False),
        ('<base\nhref="/\t/other.example/">', False),
        ("<base/href=https:other.example>", False),
    ],
)
def test_no_token_is_sent_to_the_base_of_a_page(base: str, is_shown: bool) -> None:
    """Links to a path are left out if a base may lead them to another site; others stay."""
    badge = Badge((("Reader view", "/-/view?token=1"), ("Settings", "http://127.0.0.1:1/")))
    written = write_badge(badge, "", f"<title>a</title>{base}<p>b")
    assert is_shown == ("token" in written)
    assert "Settings" in written
