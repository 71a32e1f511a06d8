"""Login, and display preferences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

from starlette.testclient import TestClient

from thresher.app.guards import SESSION
from thresher.app.pages.visitors import local_path

TOKEN = "the token of this server"


def test_people_log_in_with_the_token(
    open_app: Callable[..., Any], post: Callable[..., Any]
) -> None:
    """A wrong token is rejected; the right one redirects to the target, until logout."""
    with open_app(token=TOKEN) as client:
        page = "/login?next=/api"
        wrong = post(client, "/login", page=page, data={"token": "x", "next": "/api"})
        assert 401 == wrong.status_code
        assert "Wrong token" in wrong.text
        assert 303 == client.get("/").status_code
        right = post(client, "/login", page=page, data={"token": f" {TOKEN} ", "next": "/api"})
        assert (303, "/api") == (right.status_code, right.headers["location"])
        assert "HttpOnly" in right.headers["set-cookie"]
        assert TOKEN not in right.headers["set-cookie"]
        assert "Log out" in client.get("/").text
        post(client, "/logout")
        assert SESSION not in client.cookies
        assert 303 == client.get("/").status_code


def test_login_leads_nowhere_else(open_app: Callable[..., Any], post: Callable[..., Any]) -> None:
    """The login never redirects to another site."""
    with open_app(token=TOKEN) as client:
        data = {"token": TOKEN, "next": "//evil.example/"}
        answer = post(client, "/login", page="/login", data=data)
        assert "/" == answer.headers["location"]


@pytest.mark.parametrize(
    ("path", "local"),
    [
        ("/read/1?a=b", "/read/1?a=b"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("/a\r\nSet-Cookie: b", "/"),
        ("", "/"),
        (None, "/"),
    ],
)
def test_local_path_is_of_this_server(path: str | None, local: str) -> None:
    """Paths that are not local are replaced by the start page."""
    assert local == local_path(path)


def test_preferences_hold_without_scripts(app: TestClient, post: Callable[..., Any]) -> None:
    """A choice applies to the next page and leaves the other preferences unchanged."""
    answer = post(app, "/preferences", data={"theme": "dark", "next": "/api"})
    assert "/api" == answer.headers["location"]
    post(app, "/preferences", data={"size": "5", "width": "nonsense"})
    text = app.get("/").text
    assert 'data-theme="dark" data-face="serif" data-size="5" data-width="normal"' in text
    assert 'value="dark" aria-pressed="true"' in text
