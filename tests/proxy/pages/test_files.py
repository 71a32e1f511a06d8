"""Export and import of settings and rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.proxy.pages.conftest import PASSWORD, START, Pages
from thresher.filters.settings import Filters
from thresher.proxy.settings import ProxySettings, User
from thresher.proxy.state import ProxyState
from thresher.sites.rulebook import HostRules, Rules

RULES = HostRules(Rules((), (".promo",)), "text")


def test_settings_there_and_back(pages: Pages) -> None:
    """Exported settings can be imported, as text or file."""
    changed = replace(START, view="reader", filters=Filters(images=True), clients=("10.0.0.0/8",))
    pages.state.replace_settings(changed)
    pages.add_users("anna")
    changed = pages.state.settings
    text = pages.admin.get("/files/proxy.toml").text
    for sent in ({"text": text}, {"files": {"file": ("proxy.toml", text.encode())}}):
        pages.state.replace_settings(START)
        assert 303 == pages.post(pages.admin, "/files/proxy.toml", **sent).status_code
        assert changed == pages.state.settings


def test_rules_there_and_back(pages: Pages) -> None:
    """Imported rules replace all existing ones."""
    pages.state.replace_rules("mill.example", RULES)
    text = pages.admin.get("/files/rules.toml").text
    pages.state.replace_rules("mill.example", HostRules())
    pages.state.replace_rules("weir.example", RULES)
    assert 303 == pages.post(pages.admin, "/files/rules.toml", text=text).status_code
    assert {"mill.example": RULES} == dict(pages.state.rulebook.hosts)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("proxy.toml", "", "choose a file"),
        ("proxy.toml", "version = 1\n[proxy]\nview = 3", "view must be"),
        ("proxy.toml", "version = 2", "version must be"),
        ("proxy.toml", "<html>", "Not imported"),
        ("proxy.toml", 'version = 1\n[proxy]\nlisten_host = "0.0.0.0"', "at least one user"),
        ("rules.toml", 'version = 1\n[host."a.b"]\ndrop = ["p["]', "p["),
        ("rules.toml", 'version = 1\n[host."a b"]\nview = "text"', "is not a host name"),
    ],
)
def test_nonsense(pages: Pages, name: str, text: str, says: str) -> None:
    """Invalid files are reported, stay in the form, and change nothing."""
    pages.state.replace_rules("mill.example", RULES)
    answer = pages.post(pages.admin, f"/files/{name}", text=text)
    assert 422 == answer.status_code
    assert says in answer.text
    assert START == pages.state.settings
    assert {"mill.example": RULES} == dict(pages.state.rulebook.hosts)


def test_a_proxy_that_is_open_keeps_its_users(pages: Pages) -> None:
    """An import cannot remove the last user of a proxy that serves other machines."""
    from thresher.proxy.pages import build_pages

    users = {"anna": User(PASSWORD)}
    pages.state = ProxyState(ProxySettings(listen_host="0.0.0.0", users=users))
    pages.app = build_pages(pages.state, None)  # type: ignore[arg-type]
    text = 'version = 1\n[proxy]\nlisten_host = "127.0.0.1"'
    assert 422 == pages.post(pages.admin, "/files/proxy.toml", text=text).status_code
    assert "anna" in pages.state.settings.users
