"""Access to the settings pages by administrators and users, and guards of requests."""

from __future__ import annotations

import errno
import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest

from tests.proxy.pages.conftest import BY_PORT, BY_PROXY, PASSWORD, Pages
from thresher.errors import UsageError
from thresher.proxy.pages.context import Visitor, check_reachable
from thresher.proxy.settings import ProxySettings, User
from thresher.support.settings import format_values

PATHS = (
    *("/", "/filters", "/preview", "/sites", "/lists", "/proxy", "/setup", "/certificate"),
    *("/log", "/files"),
)


@pytest.mark.parametrize("path", [*PATHS, "/nothing", "/static/base.css"])
def test_every_answer_is_guarded(pages: Pages, path: str) -> None:
    """Every response has the security headers."""
    answer = pages.admin.get(path)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "DENY" == answer.headers["x-frame-options"]
    assert "nosniff" == answer.headers["x-content-type-options"]
    assert "<style" not in answer.text
    assert " style=" not in answer.text
    assert " onclick" not in answer.text


@pytest.mark.parametrize(
    ("base_url", "host", "status"),
    [
        (BY_PORT, "127.0.0.1:8081", 200),
        (BY_PORT, "localhost:8081", 200),
        (BY_PORT, "[::1]:8081", 200),
        (BY_PORT, "thresher.internal", 403),
        (BY_PORT, "rebound.example:8081", 403),
        (BY_PROXY, "thresher.internal", 200),
        (BY_PROXY, "127.0.0.1", 403),
    ],
)
def test_names(pages: Pages, base_url: str, host: str, status: int) -> None:
    """Only loopback names are served on the port, and only the own name through the proxy."""
    assert status == pages.by(base_url).get("/", headers={"host": host}).status_code


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://thresher.internal.evil.example"},
        {"origin": "https://thresher.internal"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_no_other_page_sends_a_form(pages: Pages, headers: dict[str, str]) -> None:
    """Forms from other origins are rejected, even with a token."""
    client = pages.by(BY_PROXY)
    data = {"csrf": pages.state.token(None, "settings"), **pages.spelled(), "view": "reader"}
    assert 403 == client.post("/filters", data=data, headers=headers).status_code
    assert "inplace" == pages.state.settings.current.view
    own = {"origin": "http://thresher.internal", "sec-fetch-site": "same-origin"}
    assert 303 == client.post("/filters", data=data, headers=own).status_code
    assert "reader" == pages.state.settings.current.view


def test_forms_need_their_token(pages: Pages) -> None:
    """Changes require POST with a valid token."""
    pages.add_users("anna", "bert")
    anna = pages.by(BY_PROXY, "anna")
    state = pages.state
    wrong = (state.token("anna", "/-/remember"), state.token("bert", "settings"))
    for token in ("", "0" * 32, *wrong, state.token(None, "settings")):
        data = {"csrf": token, **pages.spelled(), "view": "text"}
        assert 403 == anna.post("/filters", data=data).status_code
    assert "inplace" == state.settings.current.profile_of("anna").view
    assert 415 == anna.post("/filters", json={"csrf": state.token("anna", "settings")}).status_code
    token = state.token(None, "settings")
    for path in ("/filters/reset", "/lists/update", "/proxy/user", "/theme"):
        assert pages.admin.get(path, params={"csrf": token}).status_code in (404, 405)


OF_ALL = ("/", "/filters", "/preview", "/setup", "/certificate")


def test_users_see_their_own(pages: Pages) -> None:
    """Users see neither the administrator's pages nor links to them; without users, all are one.

    A removed user with an open connection sees nothing.
    """
    for client in (pages.by(BY_PROXY), pages.admin):
        for path in PATHS:
            answer = client.get(path)
            assert 200 == answer.status_code
            assert all(f'href="{each}"' in answer.text for each in PATHS)
        for path in ("/nothing", "/certificate/thresher-ca.pem"):
            missing = client.get(path)
            assert (404, True) == (missing.status_code, "Not found" in missing.text)
    pages.add_users("anna")
    anna, ghost = pages.by(BY_PROXY, "anna"), pages.by(BY_PROXY, "ghost")
    for path in PATHS:
        answer = anna.get(path)
        assert (200 if path in OF_ALL else 403) == answer.status_code
        assert 'href="/proxy"' not in answer.text
        assert "/lists/recommended" not in answer.text
    assert 200 == pages.admin.get("/proxy").status_code
    assert 403 == ghost.get("/filters").status_code
    assert 403 == pages.post(ghost, "/filters", "ghost", **pages.spelled()).status_code
    pages.add_users()
    assert 403 == ghost.get("/proxy").status_code


def test_users_change_nothing_of_others(pages: Pages) -> None:
    """Users cannot submit the administrator's forms."""
    pages.add_users("anna")
    anna, before = pages.by(BY_PROXY, "anna"), pages.state.settings.current
    fields = {"host": "a.example", "view": "text", "act": "remove", "name": "anna"}
    of_lists, of_proxy = ("", "/update", "/recommended"), ("", "/user")
    paths = [f"/lists{end}" for end in of_lists] + [f"/proxy{end}" for end in of_proxy]
    for path in ("/sites", *paths, "/files/proxy.toml"):
        assert 403 == pages.post(anna, path, "anna", **fields).status_code, path
    assert before == pages.state.settings.current
    assert not pages.state.rulebook.hosts
    assert 403 == anna.get("/files/proxy.toml").status_code


@pytest.mark.parametrize(
    ("path", "sent", "typed"),
    [
        ("/filters", {"removed_links_title": "Chaff", "max_link_ratio": "0.75"}, "Chaff"),
        ("/lists", {"list_urls": "https://lists.example/a", "list_hours": "24"}, "lists.example/a"),
        ("/proxy", {"upstream": "http://mill.example:3128"}, "mill.example:3128"),
        ("/proxy/user", {"name": "anna", "password": "grain"}, ""),
        ("/sites", {"host": "mill.example", "drop": ".chaff", "act": "save"}, ".chaff"),
        ("/files/proxy.toml", {"text": "version = 1  # chaff"}, "# chaff"),
        ("/files/rules.toml", {"text": 'version = 1\n[host."a.b"]\nview = "text"'}, "a.b"),
    ],
)
def test_a_disk_that_takes_nothing(
    pages: Pages, monkeypatch: pytest.MonkeyPatch, path: str, sent: dict[str, str], typed: str
) -> None:
    """If a file cannot be written, the form says why and keeps what was typed; nothing changes."""

    def fail(*args: object, **options: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", "somewhere.lock")

    monkeypatch.setattr("thresher.proxy.settings_store.save_text", fail)
    monkeypatch.setattr("thresher.sites.rulebook.save_rulebook", fail)
    before, rules = pages.state.settings.current, pages.state.rulebook
    forms = {"/filters": pages.spelled(), "/proxy": format_values(before)}
    answer = pages.post(pages.admin, path, **(forms.get(path, {}) | sent))
    assert 422 == answer.status_code
    text = unescape(answer.text)
    assert re.search(r"were not saved: \S+\.toml: Read-only file system", text)
    assert typed in text
    assert "Fix the errors" not in text
    assert (before, rules) == (pages.state.settings.current, pages.state.rulebook)


HERE = Visitor(None, is_admin=True, client="192.168.0.7")
USER, ADMIN = User(PASSWORD), User(PASSWORD, is_admin=True)
OPEN, WITH_PORT = ProxySettings(), ProxySettings(settings_port=8081)


@pytest.mark.parametrize(
    ("settings", "started", "says"),
    [
        (replace(OPEN, users={"anna": USER}), OPEN, "users: nobody"),
        (replace(WITH_PORT, users={"anna": USER}), OPEN, "users: nobody"),
        (replace(OPEN, users={"anna": USER}), WITH_PORT, "users: nobody"),
        (replace(OPEN, mode="transparent"), OPEN, "mode: "),
        (replace(OPEN, clients=("10.0.0.0/8",)), OPEN, r"clients: .* 192\.168\.0\.7"),
        (replace(OPEN, listen_host="192.0.2.1"), OPEN, "listen_host: "),
        (replace(OPEN, users={"anna": ADMIN, "bert": USER}), OPEN, None),
        (replace(WITH_PORT, users={"anna": USER}), WITH_PORT, None),
        (replace(WITH_PORT, mode="transparent"), WITH_PORT, None),
        (replace(OPEN, clients=("192.168.0.0/16",)), OPEN, None),
        (replace(OPEN, listen_host="127.0.0.2"), OPEN, None),
    ],
)
def test_what_would_lock_an_administrator_out(
    settings: ProxySettings, started: ProxySettings, says: str | None
) -> None:
    """Settings without a way back to these pages are refused with the reason, and only they."""
    if says is None:
        check_reachable(settings, started, HERE)
    else:
        with pytest.raises(UsageError, match=says):
            check_reachable(settings, started, HERE)
    elsewhere = replace(WITH_PORT, clients=("10.0.0.0/8",))
    check_reachable(elsewhere, WITH_PORT, Visitor(None, is_admin=True))


def test_administrators_by_name(pages: Pages) -> None:
    """A user who is an administrator changes everything through the proxy, others do not."""
    pages.set(settings_port=0, users={"anna": ADMIN, "bert": USER})
    anna, bert = pages.by(BY_PROXY, "anna"), pages.by(BY_PROXY, "bert")
    assert (200, 403) == (anna.get("/proxy").status_code, bert.get("/proxy").status_code)

    def change(by: str, name: str, act: str) -> Any:
        client = anna if by == "anna" else bert
        return pages.post(client, "/proxy/user", by, name=name, act=act)

    assert 303 == change("anna", "bert", "promote").status_code
    assert 200 == bert.get("/proxy").status_code
    assert 303 == change("bert", "anna", "demote").status_code
    for act in ("demote", "remove"):
        refused = change("bert", "bert", act)
        assert 422 == refused.status_code
        assert "nobody could open these pages" in refused.text
    assert ["bert"] == [
        name for name, user in pages.state.settings.current.users.items() if user.is_admin
    ]
    # Their own view is not affected by any of this.
    assert 303 == pages.post(anna, "/filters", "anna", **pages.spelled()).status_code


def test_the_first_user_is_asked_to_be_an_administrator(pages: Pages) -> None:
    """Without a settings port the first user must be an administrator, and the form proposes it."""
    from thresher.proxy.pages import build_pages
    from thresher.proxy.state import ProxyState

    pages.state = ProxyState(ProxySettings())
    pages.app = build_pages(pages.state, None, pages.lists)  # type: ignore[arg-type]
    here = pages.by(BY_PROXY)
    assert 'name="admin" value="yes" checked' in here.get("/proxy").text
    new = {"name": "anna", "password": "grain", "act": "set"}
    assert 422 == pages.post(here, "/proxy/user", **new).status_code
    assert 303 == pages.post(here, "/proxy/user", **new, admin="yes").status_code
    assert pages.state.settings.current.users["anna"].is_admin
