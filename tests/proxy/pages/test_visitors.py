"""Visitors, and what would lock administrators out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.proxy.pages.conftest import BY_PROXY, PASSWORD, Pages
from thresher.errors import UsageError
from thresher.proxy.pages.context import Visitor, check_reachable
from thresher.proxy.settings import ProxySettings, User

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
    ],
)
def test_what_would_lock_an_administrator_out(
    settings: ProxySettings, started: ProxySettings, says: str
) -> None:
    """Settings without a way back to these pages are refused with the reason."""
    with pytest.raises(UsageError, match=says):
        check_reachable(settings, started, HERE)


@pytest.mark.parametrize(
    ("settings", "started", "by"),
    [
        (replace(OPEN, users={"anna": ADMIN, "bert": USER}), OPEN, HERE),
        (replace(WITH_PORT, users={"anna": USER}), WITH_PORT, HERE),
        (replace(WITH_PORT, mode="transparent"), WITH_PORT, HERE),
        (replace(OPEN, clients=("192.168.0.0/16",)), OPEN, HERE),
        (replace(WITH_PORT, clients=("10.0.0.0/8",)), WITH_PORT, Visitor(None, is_admin=True)),
        (replace(OPEN, listen_host="127.0.0.2"), OPEN, HERE),
    ],
)
def test_what_leaves_a_way_in(settings: ProxySettings, started: ProxySettings, by: Visitor) -> None:
    """Settings that leave the port, an administrator or an open proxy are accepted."""
    check_reachable(settings, started, by)


def test_administrators_by_name(pages: Pages) -> None:
    """A user who is an administrator changes everything through the proxy, others do not."""
    users = {"anna": ADMIN, "bert": USER}
    pages.state.settings.replace(
        replace(pages.state.settings.current, settings_port=0, users=users)
    )
    anna, bert = pages.by(BY_PROXY, "anna"), pages.by(BY_PROXY, "bert")
    assert 200 == anna.get("/proxy").status_code
    assert 403 == bert.get("/proxy").status_code
    promoted = pages.post(anna, "/proxy/user", "anna", name="bert", act="promote")
    assert 303 == promoted.status_code
    assert 200 == bert.get("/proxy").status_code
    demoted = pages.post(bert, "/proxy/user", "bert", name="anna", act="demote")
    assert 303 == demoted.status_code
    for act in ("demote", "remove"):
        refused = pages.post(bert, "/proxy/user", "bert", name="bert", act=act)
        assert 422 == refused.status_code
        assert "nobody could open these pages" in refused.text
    assert ["bert"] == [
        name for name, user in pages.state.settings.current.users.items() if user.is_admin
    ]
    # Their own view is not affected by any of this.
    saved = pages.post(anna, "/filters", "anna", **pages.spelled())
    assert 303 == saved.status_code


def test_the_first_user_is_asked_to_be_an_administrator(pages: Pages) -> None:
    """Without a settings port the first user must be an administrator, and the form proposes it."""
    from thresher.proxy.pages import build_pages
    from thresher.proxy.state import ProxyState

    pages.state = ProxyState(ProxySettings())
    pages.app = build_pages(pages.state, None)  # type: ignore[arg-type]
    here = pages.by(BY_PROXY)
    assert 'name="admin" value="yes" checked' in here.get("/proxy").text
    new = {"name": "anna", "password": "grain", "act": "set"}
    assert 422 == pages.post(here, "/proxy/user", **new).status_code
    assert 303 == pages.post(here, "/proxy/user", **new, admin="yes").status_code
    assert pages.state.settings.current.users["anna"].is_admin
