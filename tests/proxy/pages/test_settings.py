"""Pages of administrators: lists, the other settings with the users, and rules of sites."""

from __future__ import annotations

import re

import pytest

from tests.proxy.pages.conftest import Pages
from thresher.filters.lists import ListState
from thresher.filters.public_lists import PUBLIC_LISTS
from thresher.proxy.pages.settings import _OF_NETWORK
from thresher.proxy.passwords import check_password
from thresher.sites.rulebook import HostRules, Rules, read_rulebook
from thresher.support.settings import format_values

URL = "https://lists.example/hosts.txt"


STATES = (
    ListState(URL, 1234, {"regular expression": 50, "option csp": 6}, 1.7e9, 1.6e9),
    ListState("https://b.example/", 7, {}, 1.7e9, None, "the server said 503"),
    ListState("https://c.example/"),
)


def test_settings_are_saved(pages: Pages) -> None:
    """Only the settings of a page are changed: lists, hosts and interval, or the proxy's."""
    sent = {"list_urls": f"{URL}\nhttp://b.example/", "list_hours": "6", "never_intercept": "a.b"}
    assert 303 == pages.post(pages.admin, "/lists", **sent).status_code
    settings = pages.state.settings.current
    assert (URL, "http://b.example/") == settings.list_urls
    assert (6, ("a.b",)) == (settings.list_hours, settings.never_intercept)
    before = format_values(settings)
    sent = fields(pages) | {"max_bytes": "1000", "clients": "192.168.0.0/16\n::1", "upstream": ""}
    sent.pop("mark")
    assert 303 == pages.post(pages.admin, "/proxy", **sent).status_code
    expected = {"max_bytes": "1000", "clients": "192.168.0.0/16, ::1", "mark": "no"}
    assert before | expected == format_values(pages.state.settings.current)


@pytest.mark.parametrize(
    ("path", "name", "value"),
    [
        ("/lists", "list_urls", "ftp://a/"),
        ("/lists", "list_hours", "0"),
        ("/proxy", "clients", "everybody"),
        ("/proxy", "upstream", "proxy.example"),
        ("/proxy", "listen_port", "99999"),
        ("/proxy", "deadline_s", "soon"),
        ("/proxy", "sites", "no/such/folder"),
    ],
)
def test_errors_at_the_field(pages: Pages, path: str, name: str, value: str) -> None:
    """Errors are shown at their fields, including errors of the settings as a whole."""
    before = pages.state.settings.current
    sent = fields(pages) if path == "/proxy" else {"list_hours": "24"}
    answer = pages.post(pages.admin, path, **(sent | {name: value}))
    assert 422 == answer.status_code
    assert f'id="f-{name}-problem"' in answer.text
    assert before == pages.state.settings.current


def test_states(pages: Pages) -> None:
    """Counts, unsupported rules and the last error are shown, and an update can be requested."""
    client, pages.lists.states = pages.admin, STATES
    text = client.get("/lists").text
    failed = "the server said 503; using the last good version"
    for expected in ("1,234", "56", failed, "not loaded yet"):
        assert expected in text
    assert "refresh" not in text
    assert 303 == pages.post(client, "/lists/update").status_code
    assert 1 == pages.lists.n_asked
    assert '<meta http-equiv="refresh"' in client.get("/lists").text
    assert "503" in client.get("/").text
    assert 303 == pages.post(client, "/lists", list_urls=URL, list_hours="24").status_code
    assert 1 == pages.lists.n_applied


def test_recommended_lists_take_one_click(pages: Pages) -> None:
    """Lists that are not in use are offered with their licence, and one click adds them all."""
    own = "https://lists.example/own.txt"
    pages.set(list_urls=(PUBLIC_LISTS[0].url, own))
    for path in ("/", "/setup", "/lists"):
        assert 'action="/lists/recommended"' in pages.admin.get(path).text
    text = pages.admin.get("/lists").text
    for each in PUBLIC_LISTS[1:]:
        assert each.url in text and each.licence in text and each.licence_url in text
    assert 303 == pages.post(pages.admin, "/lists/recommended").status_code
    assert ("recommended", own) == pages.state.settings.current.list_urls
    for path in ("/", "/setup", "/lists"):
        assert 'action="/lists/recommended"' not in pages.admin.get(path).text


def fields(pages: Pages) -> dict[str, str]:
    """Return the fields of the form, as submitted by browsers."""
    values = format_values(pages.state.settings.current)
    return {each.name: values[each.name] for each in _OF_NETWORK if values[each.name] != "no"}


def test_it_never_serves_all_the_world(pages: Pages) -> None:
    """A proxy that serves other machines requires at least one user."""
    sent = fields(pages) | {"listen_host": "0.0.0.0"}
    answer = pages.post(pages.admin, "/proxy", **sent)
    assert 422 == answer.status_code
    assert "needs at least one user" in answer.text
    user = {"name": "anna", "password": "grain", "act": "set"}
    assert 303 == pages.post(pages.admin, "/proxy/user", **user).status_code
    assert 303 == pages.post(pages.admin, "/proxy", **sent).status_code
    answer = pages.post(pages.admin, "/proxy/user", name="anna", act="remove")
    assert 422 == answer.status_code
    assert "anna" in pages.state.settings.current.users


@pytest.mark.parametrize(("name", "password"), [("a b", "x"), ("", "x"), ("a", ""), ("a", "b:c")])
def test_users(pages: Pages, name: str, password: str) -> None:
    """Users are added, get another password with the same profile, and removed; none is invalid."""
    wrong = pages.post(pages.admin, "/proxy/user", name=name, password=password, act="set")
    assert 422 == wrong.status_code
    assert not pages.state.settings.current.users
    for right in ("grain", "chaff"):
        sent = {"name": "anna", "password": right, "act": "set"}
        assert 303 == pages.post(pages.admin, "/proxy/user", **sent).status_code
        assert check_password(right, pages.state.settings.current.users["anna"].password)
        pages.post(pages.admin, "/filters", **(pages.spelled() | {"user": "anna"}))
    assert pages.state.settings.current.users["anna"].profile
    assert "scrypt" not in pages.admin.get("/proxy").text
    assert 303 == pages.post(pages.admin, "/proxy/user", name="anna", act="remove").status_code
    assert not pages.state.settings.current.users


FIELDS = {
    **{"host": "Mill.example", "view": "reader", "method": "crunch", "act": "save"},
    **{"keep": "article .figure\r\n\r\n#a", "drop": ".promo"},
}
EXPECTED = HostRules(Rules(("article .figure", "#a"), (".promo",)), "reader", "crunch")


def was_of(text: str) -> str:
    """Return what the form of the first host says about the rules that it was built from."""
    return next(each for each in re.findall(r'name="was" value="(.*?)"', text) if each)


def test_rules_are_saved_and_removed(pages: Pages) -> None:
    """Rules are saved in the file, shown in the form of their host, and removed."""
    assert 303 == pages.post(pages.admin, "/sites", **FIELDS).status_code
    assert pages.state.rules_path
    assert {"mill.example": EXPECTED} == dict(read_rulebook(pages.state.rules_path).hosts)
    text = pages.admin.get("/sites").text
    assert "<h2>mill.example</h2>" in text
    assert "article .figure\n#a</textarea>" in text
    gone = {"host": "mill.example", "act": "remove", "was": was_of(text), "drop": ".promo"}
    assert 303 == pages.post(pages.admin, "/sites", **gone).status_code
    assert not pages.state.rulebook.hosts


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"host": "a b"}, "is not a host name"),
        ({"host": ""}, "is not a host name"),
        ({"drop": "p["}, "p["),
        ({"view": "glasses"}, "view must be one of"),
        ({"filters": "adds=off"}, "no filter"),
        ({"method": "guess"}, "unknown method"),
        ({"view": "", "method": "", "keep": " ", "drop": ""}, "enter a selector, or choose"),
    ],
)
def test_what_is_wrong(pages: Pages, change: dict[str, str], says: str) -> None:
    """Errors are shown, the input is kept, and nothing is saved."""
    answer = pages.post(pages.admin, "/sites", **(FIELDS | change))
    assert 422 == answer.status_code
    assert says in answer.text
    assert not pages.state.rulebook.hosts


def test_a_form_of_a_known_host(pages: Pages) -> None:
    """An error is shown in the form of its host, and that for another site takes nothing away."""
    pages.post(pages.admin, "/sites", **FIELDS)
    was = was_of(pages.admin.get("/sites").text)
    answer = pages.post(pages.admin, "/sites", **(FIELDS | {"drop": "p[", "was": was}))
    assert 1 == answer.text.count("<h2>mill.example</h2>")
    assert "p[</textarea>" in answer.text
    assert EXPECTED == pages.state.rulebook.hosts["mill.example"]
    more = {"host": "mill.example", "view": "", "method": "", "keep": "", "drop": ".banner"}
    assert 303 == pages.post(pages.admin, "/sites", act="save", **more).status_code
    joined = HostRules(Rules(("article .figure", "#a"), (".promo", ".banner")), "reader", "crunch")
    assert {"mill.example": joined} == dict(pages.state.rulebook.hosts)


def test_rules_changed_elsewhere_are_not_overwritten_unseen(pages: Pages) -> None:
    """A form that was opened before someone else saved shows their rules; saving again replaces."""
    pages.post(pages.admin, "/sites", **FIELDS)
    mine = FIELDS | {"was": was_of(pages.admin.get("/sites").text), "drop": ".mine"}
    theirs = HostRules(Rules((), (".theirs",)))
    pages.state.change_rules("mill.example", lambda _: theirs)
    answer = pages.post(pages.admin, "/sites", **mine)
    assert 422 == answer.status_code
    assert "changed elsewhere" in answer.text
    assert "<dd>.theirs</dd>" in answer.text
    assert {"mill.example": theirs} == dict(pages.state.rulebook.hosts)
    mine["was"] = was_of(answer.text)
    assert 303 == pages.post(pages.admin, "/sites", **mine).status_code
    assert (".mine",) == pages.state.rulebook.hosts["mill.example"].rules.drop
