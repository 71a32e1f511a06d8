"""With ``only_api`` the API is all that a server has."""

from __future__ import annotations

import pytest

from tests.app.conftest import OpenApp

pytest.importorskip("starlette", reason="the extra app is not installed")

TOKEN = "a token of some length"


def test_api_is_served_without_pages_and_cookies(open_app: OpenApp) -> None:
    """Pages are extracted; the app's pages are not there, errors are JSON, and no cookie is set."""
    with open_app(only_api=True) as client:
        answer = client.post("/api/extract", json={"html": "<p>All of the rye was in."})
        assert 200 == answer.status_code
        assert "learned" == answer.json()["method"]
        answers = [answer, client.get("/healthz"), client.get("/api/openapi.json")]
        for path in ("/", "/login", "/static/app.css", "/api"):
            missing = client.get(path, headers={"Accept": "text/html"})
            assert 404 == missing.status_code
            assert "NotFound" == missing.json()["error"]["type"]
            answers.append(missing)
        assert [] == [each.url for each in answers if "set-cookie" in each.headers]


def test_token_is_required(open_app: OpenApp) -> None:
    """With a token, everything but the state of the server needs it; browsers get 401 as well."""
    with open_app(only_api=True, token=TOKEN) as client:
        refused = client.get("/api/methods", headers={"Accept": "text/html"})
        assert (401, "Bearer") == (refused.status_code, refused.headers["www-authenticate"])
        allowed = client.get("/api/methods", headers={"Authorization": f"Bearer {TOKEN}"})
        assert 200 == allowed.status_code
        assert 200 == client.get("/healthz").status_code
