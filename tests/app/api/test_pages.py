"""Pages that a program sends to the app, and the API where it is all that is served."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.conftest import OpenApp

PAGE = f"<title>Rye</title><article><h1>Rye</h1><p>{'Rye is sown in autumn. ' * 9}</article>"
TOKEN = "a token of the app, long enough"


def test_page_is_opened_saved_highlighted_and_labelled(open_app: OpenApp) -> None:
    """The answer has where the page is; a page that is sent again is in each list once."""
    with open_app() as client:
        sent = {"html": PAGE, "url": "https://farm.example/rye", "save": True, "label": True}
        sent["quote"] = "sown in autumn"
        first = client.post("/api/pages", json=sent).json()
        assert first == client.post("/api/pages", json=sent).json() | {
            "read": first["read"],
            "inspect": first["inspect"],
        }
        assert "sown in autumn" in client.get(first["read"]).text
        assert 200 == client.get(first["inspect"]).status_code
        assert "Rye is sown" in client.get(first["label"]).text
        assert 303 == client.get(f"/saved/{first['saved']}").status_code
        assert 1 == client.get("/saved/highlights.md").text.count("sown in autumn")


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ([], "object"),
        ({}, "html is required"),
        ({"html": 1}, "html must be a str"),
        ({"html": "<p>a", "colour": "red"}, "no field colour"),
        ({"html": "<p>a", "save": "yes"}, "save must be a bool"),
        ({"html": "%PDF-1.7", "label": True}, "PDF"),
    ],
)
def test_wrong_requests_are_refused(open_app: OpenApp, sent: Any, says: str) -> None:
    """The error names the field."""
    with open_app() as client:
        answer = client.post("/api/pages", json=sent)
        assert 400 <= answer.status_code < 500
        assert says in answer.json()["error"]["message"]


def test_only_json_of_no_other_site_is_taken(open_app: OpenApp) -> None:
    """A form that another site's page sends is refused, and so is what it sends as text."""
    with open_app() as client:
        assert 415 == client.post("/api/pages", data={"html": PAGE}).status_code
        for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://mill.example"}):
            assert (
                403 == client.post("/api/pages", json={"html": PAGE}, headers=headers).status_code
            )
        own = {"Origin": "chrome-extension://abc", "Sec-Fetch-Site": "none"}
        assert 200 == client.post("/api/pages", json={"html": PAGE}, headers=own).status_code


def test_api_is_served_without_pages_and_cookies(open_app: OpenApp) -> None:
    """Pages are extracted; the app's pages are not there, errors are JSON, and no cookie is set.

    Browsers without a token get 401 as programs do.
    """
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
        assert 404 == client.post("/api/pages", json={"html": PAGE}).status_code
        assert "/api/pages" not in client.get("/api/openapi.json").json()["paths"]
    with open_app(only_api=True, token=TOKEN) as client:
        refused = client.get("/api/methods", headers={"Accept": "text/html"})
        assert (401, "Bearer") == (refused.status_code, refused.headers["www-authenticate"])
