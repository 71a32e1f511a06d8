"""Fields of requests, and the OpenAPI document that describes them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.routing import Route
from starlette.testclient import TestClient

from thresher import ALGORITHMS, FORMATS
from thresher.analysis.metadata import Metadata
from thresher.app.api.handlers import describe_api
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


def test_description_is_of_paths_that_are_there(document: Any) -> None:
    """Every documented path and method is a route."""
    routes = {route.path: route.methods for route in ROUTES if isinstance(route, Route)}
    for path, methods in document["paths"].items():
        assert {method.upper() for method in methods} <= (routes[path] or set())


def test_references_lead_somewhere(document: Any) -> None:
    """Every referenced schema exists."""
    names = set(re.findall(r"#/components/schemas/(\w+)", str(document)))
    assert names == document["components"]["schemas"].keys()


def test_page_describes_all_of_it(app: TestClient, document: Any) -> None:
    """The HTML documentation contains everything in the OpenAPI document."""
    text = app.get("/api").text
    for path in document["paths"]:
        assert f"<code>{path}</code>" in text
    for name, schema in document["components"]["schemas"].items():
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
        ("links", False, False),
        ("links", "no", False),
        ("links", "TRUE", True),
        ("max_chars", 100, 100),
        ("max_chars", "100", 100),
        ("deadline_s", 1, 1),
        ("deadline_s", "0.5", 0.5),
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
        ("links", "perhaps"),
        ("max_chars", True),
        ("max_chars", 1.5),
        ("max_chars", 99),
        ("deadline_s", 0),
        ("deadline_s", "nan"),
        ("deadline_s", "soon"),
        ("formats", ["zip"]),
        ("formats", [1]),
        ("formats", 1),
        ("favor", []),
        ("params", "a=1"),
        ("html", 1),
        ("method", "nothing"),
        ("on_limit", "perhaps"),
    ],
)
def test_options_are_refused_by_name(name: str, value: object) -> None:
    """Invalid values raise an error that names the field; null counts as missing."""
    with pytest.raises(UsageError, match=name):
        read_options({name: value})
    assert {} == read_options({name: None})


@given(st.dictionaries(st.sampled_from(sorted(OPTIONS)), JSON))
def test_options_are_read_or_refused_whatever_they_are(values: dict[str, object]) -> None:
    """Any JSON is either accepted or rejected with a short message."""
    try:
        read = read_options(values)
    except UsageError as error:
        assert len(str(error)) < 500
    else:
        assert read.keys() <= values.keys()
