"""The OpenAPI document matches the implementation."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

from starlette.routing import Route
from starlette.testclient import TestClient

from thresher import ALGORITHMS, FORMATS
from thresher.analysis.metadata.model import Metadata
from thresher.app.api.openapi import describe_api
from thresher.app.api.requests import OPTIONS
from thresher.app.routes import ROUTES
from thresher.app.settings import AppSettings


@pytest.fixture
def document(app: TestClient) -> Any:
    """Return the served document."""
    return app.get("/api/openapi.json").json()


def test_description_has_every_option(document: Any) -> None:
    """Every request option is documented with its choices."""
    fields = document["components"]["schemas"]["Request"]["properties"]
    assert OPTIONS.keys() == fields.keys()
    assert list(ALGORITHMS) == fields["method"]["enum"]
    assert list(FORMATS) == fields["formats"]["items"]["enum"]
    assert fields["formats"]["description"].endswith('Default: ["markdown"].')


def test_description_is_of_paths_that_are_there(document: Any) -> None:
    """Every documented path and method is a route."""
    routes = {route.path: route.methods for route in ROUTES if isinstance(route, Route)}
    for path, methods in document["paths"].items():
        assert {method.upper() for method in methods} <= (routes[path] or set())


def test_references_lead_somewhere(document: Any) -> None:
    """Every referenced schema exists."""
    names = set(re.findall(r"#/components/schemas/(\w+)", str(document)))
    assert names == document["components"]["schemas"].keys()


def test_description_says_when_a_token_is_needed() -> None:
    """The security scheme is documented if a token is required."""
    assert "security" not in describe_api(AppSettings())
    guarded = describe_api(AppSettings(token="a token of some length"))
    assert [{"token": []}] == guarded["security"]


def test_page_describes_all_of_it(app: TestClient, document: Any) -> None:
    """The HTML documentation contains everything in the OpenAPI document."""
    text = app.get("/api").text
    for path in document["paths"]:
        assert f"<code>{path}</code>" in text
    for name, schema in document["components"]["schemas"].items():
        for field in schema.get("properties", {}):
            assert f"<code>{field}</code>" in text, name


def test_every_format_is_a_field_of_the_output(document: Any) -> None:
    """The content has a typed field for each format, and a body has no untyped ones."""
    schemas = document["components"]["schemas"]
    assert list(FORMATS) == list(schemas["Output"]["properties"])
    assert list(Metadata.__dataclass_fields__) == list(schemas["Metadata"]["properties"])


def test_methods_are_listed_with_their_parameters(app: TestClient) -> None:
    """All methods are listed, with the default marked and documented parameters."""
    methods = app.get("/api/methods").json()
    assert list(ALGORITHMS) == [method["name"] for method in methods]
    assert ["learned"] == [method["name"] for method in methods if method["is_default"]]
    for method in methods:
        assert method["summary"] and method["source"]
        assert all(parameter["help"] for parameter in method["parameters"])
