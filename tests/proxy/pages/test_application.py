"""Access to the settings pages by administrators and users."""

from __future__ import annotations

import errno
import re
from html import unescape

import pytest

from tests.proxy.pages.conftest import BY_PROXY, Pages
from tests.proxy.pages.test_guards import PATHS
from thresher.support.settings import format_values

OF_ALL = ("/", "/filters", "/preview", "/setup", "/certificate")
NOT_THERE = "/certificate/thresher-ca.pem"


def test_without_users_the_proxy_is_the_administrators(pages: Pages) -> None:
    """Without users, every visitor is the administrator."""
    for client in (pages.by(BY_PROXY), pages.admin):
        for path in PATHS:
            answer = client.get(path)
            assert 200 == answer.status_code
            assert all(f'href="{each}"' in answer.text for each in PATHS)


def test_users_see_their_own(pages: Pages) -> None:
    """Users see neither the administrator's pages nor links to them."""
    pages.add_users("anna")
    anna = pages.by(BY_PROXY, "anna")
    for path in PATHS:
        answer = anna.get(path)
        assert (200 if path in OF_ALL else 403) == answer.status_code
        assert 'href="/proxy"' not in answer.text
    assert 200 == pages.admin.get("/proxy").status_code


@pytest.mark.parametrize(
    "path",
    ["/sites", "/lists", "/lists/update", "/proxy", "/proxy/user", "/files/proxy.toml"],
)
def test_users_change_nothing_of_others(pages: Pages, path: str) -> None:
    """Users cannot submit the administrator's forms."""
    pages.add_users("anna")
    before = pages.state.settings.current
    fields = {"host": "a.example", "view": "text", "act": "remove", "name": "anna"}
    answer = pages.post(pages.by(BY_PROXY, "anna"), path, "anna", **fields)
    assert 403 == answer.status_code
    assert before == pages.state.settings.current
    assert not pages.state.rulebook.hosts
    assert 403 == pages.by(BY_PROXY, "anna").get("/files/proxy.toml").status_code


def test_a_user_who_was_removed(pages: Pages) -> None:
    """A removed user with an open connection cannot change anything."""
    pages.add_users("anna")
    ghost = pages.by(BY_PROXY, "ghost")
    assert 403 == ghost.get("/filters").status_code
    assert 403 == pages.post(ghost, "/filters", "ghost", **pages.spelled()).status_code
    pages.add_users()
    assert 403 == ghost.get("/proxy").status_code


def test_what_is_not_there(pages: Pages) -> None:
    """Unknown paths show an error page."""
    assert 404 == pages.admin.get("/nothing").status_code
    assert 404 == pages.admin.get(NOT_THERE).status_code
    assert "Not found" in pages.admin.get("/nothing").text


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
