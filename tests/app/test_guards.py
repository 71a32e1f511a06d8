"""Request guards: host names, origins, token and policy; login and preferences."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp, Post
from thresher.app.guards import POLICY, SESSION, is_token, session_of
from thresher.app.pages.visitors import local_path

TOKEN = "the token of this server"


@pytest.mark.parametrize("path", ["/", "/nothing", "/healthz", "/static/base.css", "/api/methods"])
def test_every_answer_keeps_the_browser_from_loading_elsewhere(app: TestClient, path: str) -> None:
    """Pages, errors, files and the API have the policy, and are not cached."""
    headers = app.get(path).headers
    assert POLICY == headers["content-security-policy"]
    assert "nosniff" == headers["x-content-type-options"]
    assert "DENY" == headers["x-frame-options"]
    assert "no-store" == headers["cache-control"]


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "127.0.0.1.evil.example:8765", "", "[", "a b", "user@localhost"),
        *("localhost/", "evil.example#@localhost", "[::1]x", "[::ffff:127.0.0.1]", "127.1"),
    ],
)
def test_other_names_are_refused(app: TestClient, host: str) -> None:
    """Unknown host names are rejected."""
    assert 403 == app.get("/", headers={"host": host}).status_code
    assert 403 == app.post("/api/extract", headers={"host": host}, json={}).status_code


@pytest.mark.parametrize("path", ["/read", "/api/extract", "/healthz"])
def test_two_lengths_are_refused(app: TestClient, path: str) -> None:
    """A request that states its length in two ways is refused, and its connection closed."""
    headers = {"content-length": "4", "transfer-encoding": "chunked"}
    answer = app.post(path, headers=headers, content=b"0\r\n\r\n")
    assert (400, "close") == (answer.status_code, answer.headers["connection"])


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": "http://user@127.0.0.1:8765"},
    ],
)
def test_other_sites_can_send_nothing(app: TestClient, headers: dict[str, str]) -> None:
    """Cross-site requests are rejected, for forms and the API."""
    for path in ("/read", "/preferences", "/api/extract"):
        assert 403 == app.post(path, headers=headers, content="{}").status_code


def test_own_pages_and_programs_can_send(app: TestClient) -> None:
    """Requests by our own pages and by other clients are accepted, under every loopback name."""
    body = {"html": "<p>Rye."}
    own = {"origin": "http://127.0.0.1:8765"}
    for headers in ({}, own, own | {"sec-fetch-site": "same-origin"}):
        assert 200 == app.post("/api/extract", json=body, headers=headers).status_code
    for host in ("localhost", "LOCALHOST:99", "127.0.0.1", "[::1]:8765"):
        assert 200 == app.get("/healthz", headers={"host": host}).status_code


def test_token_is_asked_for_everywhere(open_app: OpenApp) -> None:
    """Without the token, browsers are sent to the login and API clients get 401.

    With a token, any host name is accepted unless names are configured.
    """
    with open_app(token=TOKEN, host="0.0.0.0") as client:
        page = client.get("/read?url=a")
        login = (303, "/login?next=%2Fread%3Furl%3Da")
        assert login == (page.status_code, page.headers["location"])
        for path in ("/api/methods", "/metrics"):
            answer = client.get(path)
            assert (401, "Bearer") == (answer.status_code, answer.headers["www-authenticate"])
        assert 401 == client.post("/api/extract", json={"html": "<p>"}).status_code
        assert 401 == client.post("/read").status_code
        assert 200 == client.get("/healthz", headers={"host": "reader.example"}).status_code
        for status, said in ((401, "Bearer another"), (200, f"bearer {TOKEN}")):
            asked = client.get("/api/methods", headers={"authorization": said})
            assert status == asked.status_code
    with open_app(token=TOKEN, host="0.0.0.0", hosts=("reader.example",)) as client:
        assert 200 == client.get("/healthz", headers={"host": "reader.example"}).status_code
        assert 403 == client.get("/healthz", headers={"host": "evil.example"}).status_code
    assert session_of(TOKEN) == session_of(TOKEN) != session_of(TOKEN + "x")
    assert is_token("ä", "ä") and not is_token("\udcff", "ä")


def test_people_log_in_with_the_token(open_app: OpenApp, post: Post) -> None:
    """A wrong token is rejected; the right one redirects to a target of this app, until logout."""
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


def test_preferences_hold_without_scripts(app: TestClient, post: Post) -> None:
    """A choice applies to the next page and leaves the other preferences unchanged."""
    answer = post(app, "/preferences", data={"theme": "dark", "next": "/api"})
    assert "/api" == answer.headers["location"]
    post(app, "/preferences", data={"size": "5", "width": "nonsense"})
    text = app.get("/").text
    assert 'data-theme="dark" data-face="serif" data-size="5" data-width="normal"' in text
    assert 'value="dark" aria-pressed="true"' in text
