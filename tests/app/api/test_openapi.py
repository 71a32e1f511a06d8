"""The OpenAPI document and fields of requests; pages that a program sends to the app."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp
from thresher import ALGORITHMS, FORMATS
from thresher.analysis.metadata import Metadata
from thresher.app.api.openapi import describe_api
from thresher.app.api.requests import OPTIONS, read_options
from thresher.app.server import ROUTES
from thresher.app.settings import AppSettings
from thresher.errors import UsageError


@pytest.fixture
def document(app: TestClient) -> Any:
    """Return the served document."""
    return app.get("/api/openapi.json").json()


def test_description_has_every_option(document: Any) -> None:
    """Every option, format and field of metadata is documented, and a token where it is needed."""
    fields = document["components"]["schemas"]["Request"]["properties"]
    assert OPTIONS.keys() == fields.keys()
    assert list(ALGORITHMS) == fields["method"]["enum"]
    assert list(FORMATS) == fields["formats"]["items"]["enum"]
    assert fields["formats"]["description"].endswith('Default: ["markdown"].')
    schemas = document["components"]["schemas"]
    assert list(FORMATS) == list(schemas["Output"]["properties"])
    assert list(Metadata.__dataclass_fields__) == list(schemas["Metadata"]["properties"])
    assert "security" not in document
    guarded = describe_api(AppSettings(token="a token of some length"))
    assert [{"token": []}] == guarded["security"]


def test_description_is_of_what_is_there(app: TestClient, document: Any) -> None:
    """Every path and method is a route, references exist, and the HTML page has all of it."""
    routes = {route.path: route.methods for route in ROUTES if isinstance(route, Route)}
    text = app.get("/api").text
    for path, methods in document["paths"].items():
        assert {method.upper() for method in methods} <= (routes[path] or set())
        assert f"<code>{path}</code>" in text
    schemas = document["components"]["schemas"]
    assert schemas.keys() == set(re.findall(r"#/components/schemas/(\w+)", str(document)))
    for name, schema in schemas.items():
        for field in schema.get("properties", {}):
            assert f"<code>{field}</code>" in text, name


def test_methods_are_listed_with_their_parameters(app: TestClient) -> None:
    """All methods are listed, with the default marked and documented parameters."""
    methods = app.get("/api/methods").json()
    assert list(ALGORITHMS) == [method["name"] for method in methods]
    assert ["learned"] == [method["name"] for method in methods if method["is_default"]]
    for method in methods:
        assert method["summary"] and method["source"]
        assert all(parameter["help"] for parameter in method["parameters"])


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda values: st.lists(values) | st.dictionaries(st.text(), values),
    max_leaves=5,
)


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("links", "no", False),
        ("max_chars", 100, 100),
        ("formats", ["text", "json"], ("text", "json")),
        ("formats", "text,json", ("text", "json")),
        ("favor", "recall", "recall"),
        ("favor", 0.5, 0.5),
        ("params", {"a": 1}, {"a": 1}),
        ("scope", "page", "page"),
    ],
)
def test_options_are_read(name: str, value: object, read: object) -> None:
    """JSON values and query strings are parsed to the same values."""
    assert {name: read} == read_options({name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("links", 1),
        ("max_chars", 99),
        ("deadline_s", "soon"),
        ("formats", 1),
        ("favor", True),
        ("params", "a=1"),
        ("method", "nothing"),
    ],
)
def test_options_are_refused_by_name(name: str, value: object) -> None:
    """Invalid values raise an error that names the field; null counts as missing."""
    with pytest.raises(UsageError, match=name):
        read_options({name: value})
    assert {} == read_options({name: None})


@settings(max_examples=40)
@given(st.dictionaries(st.sampled_from(sorted(OPTIONS)), JSON))
def test_options_are_read_or_refused_whatever_they_are(values: dict[str, object]) -> None:
    """Any JSON is either accepted or rejected with a short message."""
    try:
        read = read_options(values)
    except UsageError as error:
        assert len(str(error)) < 500
    else:
        assert read.keys() <= values.keys()


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
