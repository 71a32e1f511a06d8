"""Proxy page: settings and users."""

from __future__ import annotations

import pytest

from tests.proxy.pages.conftest import Pages
from thresher.proxy.pages.settings import _OF_NETWORK
from thresher.proxy.passwords import check_password
from thresher.support.settings import format_values


def fields(pages: Pages) -> dict[str, str]:
    """Return the fields of the form, as submitted by browsers."""
    values = format_values(pages.state.settings.current)
    return {each.name: values[each.name] for each in _OF_NETWORK if values[each.name] != "no"}


def test_settings_are_saved(pages: Pages) -> None:
    """Only the settings of this page are changed."""
    before = format_values(pages.state.settings.current)
    sent = fields(pages) | {"max_bytes": "1000", "clients": "192.168.0.0/16\n::1", "upstream": ""}
    sent.pop("mark")
    assert 303 == pages.post(pages.admin, "/proxy", **sent).status_code
    expected = {"max_bytes": "1000", "clients": "192.168.0.0/16, ::1", "mark": "no"}
    assert before | expected == format_values(pages.state.settings.current)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("clients", "everybody"),
        ("mode", "sideways"),
        ("upstream", "proxy.example"),
        ("listen_port", "99999"),
        ("deadline_s", "soon"),
        ("sites", "no/such/folder"),
    ],
)
def test_errors_at_the_field(pages: Pages, name: str, value: str) -> None:
    """Errors are shown at their fields, including errors of the settings as a whole."""
    before = pages.state.settings.current
    answer = pages.post(pages.admin, "/proxy", **(fields(pages) | {name: value}))
    assert 422 == answer.status_code
    assert f'id="f-{name}-problem"' in answer.text
    assert before == pages.state.settings.current


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


def test_users(pages: Pages) -> None:
    """Users are added, get another password with the same profile, and are removed."""
    for password in ("grain", "chaff"):
        sent = {"name": "anna", "password": password, "act": "set"}
        assert 303 == pages.post(pages.admin, "/proxy/user", **sent).status_code
        assert check_password(password, pages.state.settings.current.users["anna"].password)
        pages.post(pages.admin, "/filters", **(pages.spelled() | {"user": "anna"}))
    assert pages.state.settings.current.users["anna"].profile
    assert "scrypt" not in pages.admin.get("/proxy").text
    assert 303 == pages.post(pages.admin, "/proxy/user", name="anna", act="remove").status_code
    assert not pages.state.settings.current.users


@pytest.mark.parametrize(("name", "password"), [("a b", "x"), ("", "x"), ("a", ""), ("a", "b:c")])
def test_no_such_users(pages: Pages, name: str, password: str) -> None:
    """Invalid names and passwords are rejected."""
    answer = pages.post(pages.admin, "/proxy/user", name=name, password=password, act="set")
    assert 422 == answer.status_code
    assert not pages.state.settings.current.users
