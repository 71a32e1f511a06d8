"""The proxy's own address: links, answers and forms."""

from __future__ import annotations

import errno
import re
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from thresher.proxy.internal import answer, make_badge
from thresher.proxy.own_forms import HIDE, NEVER
from thresher.proxy.own_pages import Answer, Question, lead_to, names_site, read_form, write_page
from thresher.proxy.page_parts import STYLE_SOURCE, Badge, write_badge
from thresher.proxy.passwords import hash_password
from thresher.proxy.settings import ProxySettings, User
from thresher.proxy.state import ProxyState


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/", True),
        ("http://[", False),
        ("javascript:alert()", False),
        ("/a", False),
        ("https://a.example/\n", False),
    ],
)
def test_addresses_of_the_web(url: str, expected: bool) -> None:
    """Links lead to addresses of the web, and nowhere else."""
    assert expected == names_site(url)


def test_answers() -> None:
    """Sentences are escaped, headers are ASCII, and of duplicate fields the first counts."""
    assert b"&lt;b&gt;" in write_page(400, "<b>").body
    assert (
        "https://a.example/%C3%A9?a=%20" == lead_to("https://a.example/é?a=%20").headers["location"]
    )
    assert {"a": "1", "b": "2"} == read_form("a=1&a=3&b=2&c=")
    assert {} == read_form("&".join("a=1" for _ in range(200)))


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
    assert state.temporary_views.get("", URL) is None
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
    assert state.temporary_views.get("", query["url"]) is None


def ask_form(state: ProxyState, user: str | None = None) -> str:
    """Return the token of the form."""
    query = urlencode({"url": URL, "view": "reader"})
    said = follow(state, f"http://thresher.internal/-/remember?{query}", user)
    assert "frame-ancestors 'none'" in said.headers["content-security-policy"]
    found = re.search(rb'name="token" value="(\w+)"', said.body)
    assert found
    return found[1].decode()


def send(state: ProxyState, origin: str | None, user: str | None = None, **values: str) -> int:
    """Submit the form; return the status."""
    body = urlencode({"url": URL, "view": "reader"} | values).encode()
    question = Question("POST", "/-/remember", "", body, origin, user)
    return answer(state, question).status


def test_the_form_remembers() -> None:
    """The form saves and resets the view of a host."""
    state = ProxyState(ProxySettings())
    token = ask_form(state)
    assert 200 == send(state, "http://thresher.internal", token=token)
    assert "reader" == state.rulebook.of(URL).view
    assert 200 == send(state, None, token=token, view="")
    assert not state.rulebook.hosts


def test_the_form_switches_filters() -> None:
    """A filter is off, on, or as on other sites; the form shows what was chosen."""
    state = ProxyState(ProxySettings())
    token = ask_form(state)
    sent = {"filter-ads": "off", "filter-images": "on", "filter-consent": "", "filter-x": "on"}
    assert 200 == send(state, None, token=token, view="", **sent)
    assert (("ads", False), ("images", True)) == state.rulebook.of(URL).filters
    query = urlencode({"url": URL, "view": "reader"})
    shown = follow(state, f"http://thresher.internal/-/remember?{query}").body.decode()
    lists = dict(re.findall(r'<select name="filter-(\w+)">(.*?)</select>', shown))
    assert '<option value="off" selected>' in lists["ads"]
    assert '<option value="on" selected>' in lists["images"]
    assert '<option value="" selected>Same as other sites (on)' in lists["consent"]
    assert 200 == send(state, None, token=token, view="")
    assert not state.rulebook.hosts


def test_other_pages_cannot_send_it() -> None:
    """Submissions with an invalid token, origin or method are rejected."""
    state = ProxyState(ProxySettings())
    token = ask_form(state, "anna")
    assert 403 == send(state, "http://thresher.internal", "anna", token="0")
    assert 403 == send(state, "http://thresher.internal", "bert", token=token)
    assert 403 == send(state, "https://evil.example", "anna", token=token)
    query = urlencode({"url": URL, "view": "reader", "token": token})
    assert 200 == follow(state, f"http://thresher.internal/-/remember?{query}", "anna").status
    assert not state.rulebook.hosts


def test_a_choice_that_cannot_be_saved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A full disk or a missing permission is said on a page."""

    def fail(*args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("thresher.sites.rulebook.save_rulebook", fail)
    state = ProxyState(ProxySettings(), rules_path=tmp_path / "rules.toml")
    assert 500 == send(state, None, token=ask_form(state), view="text")


def test_nonsense() -> None:
    """Invalid views, sites and paths are errors."""
    state = ProxyState(ProxySettings())
    token = ask_form(state)
    assert 400 == send(state, None, token=token, view="glasses")
    assert 400 == send(state, None, token=token, url="ftp://a/")
    assert 400 == follow(state, "http://thresher.internal/-/remember?url=http://[").status
    assert 404 == follow(state, "http://thresher.internal/-/x").status
    assert 403 == answer(state, Question("POST", "/-/remember", "", b"&" * 5000)).status


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


SITE = "https://www.example.org/mill"


def send_hide(
    state: ProxyState, user: str | None = None, origin: str | None = None, **more: str
) -> int:
    """Open the form, send it, and return the status."""
    shown = answer(state, Question("GET", HIDE, urlencode({"url": SITE, "drop": "<p>"}), user=user))
    token = re.search(r'name="token" value="(\w+)"', shown.body.decode())
    assert token and b"<p>" not in shown.body.partition(b"textarea")[2].partition(b"</t")[0]
    sent = {"url": SITE, "token": token[1], "drop": ".promo\n#tail\n"} | more
    return post_hide(state, sent, user, origin).status


def post_hide(
    state: ProxyState, sent: dict[str, str], user: str | None, origin: str | None
) -> Answer:
    """Send the form."""
    return answer(state, Question("POST", HIDE, "", urlencode(sent).encode(), origin, user))


def test_rules_are_saved_and_taken_back() -> None:
    """Selectors are added to the rules that apply to the page; undo removes just these."""
    state = ProxyState(ProxySettings())
    state.change_choices(None, "example.org", lambda known: known)
    assert 200 == send_hide(state)
    assert 200 == send_hide(state, drop=".other")
    assert (".promo", "#tail", ".other") == state.rules_of(None, SITE).rules.drop
    assert 200 == send_hide(state, undo="1")
    assert (".other",) == state.rules_of(None, SITE).rules.drop


def test_users_hide_for_themselves() -> None:
    """A rule of one user is no other's."""
    hashed = hash_password("grain")
    state = ProxyState(ProxySettings(users={"anna": User(hashed), "bert": User(hashed)}))
    assert 200 == send_hide(state, "anna")
    assert (".promo", "#tail") == state.rules_of("anna", SITE).rules.drop
    assert () == state.rules_of("bert", SITE).rules.drop == state.rules_of(None, SITE).rules.drop


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
    assert status == send_hide(state, origin=origin, **more)
    assert not state.rulebook.hosts


NEVER_URL = "https://www.bücher.example/a?b=<c>"


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
    assert [200, 200, 200] == [
        add(state, url) for url in (NEVER_URL, NEVER_URL, "https://a.bank.example/")
    ]
    assert ("bank.example", "www.bücher.example") == state.settings.current.never_intercept
    assert 400 == add(state, "ftp://a.example/")


def test_only_administrators_change_the_list() -> None:
    """The list is everybody's, so other users are refused."""
    hashed = hash_password("grain")
    users = {"anna": User(hashed), "bert": User(hashed, is_admin=True)}
    state = ProxyState(ProxySettings(users=users))
    assert [403, 403, 200] == [add(state, NEVER_URL, user) for user in ("anna", None, "bert")]
    assert ("www.bücher.example",) == state.settings.current.never_intercept
