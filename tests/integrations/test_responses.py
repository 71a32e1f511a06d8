"""Responses of HTTP libraries are pages."""

from __future__ import annotations

from email.message import Message
from importlib.util import find_spec

import pytest

from tests.helpers.harbour import HARBOUR
from thresher.errors import InputError
from thresher.integrations.responses import extract

URL = "https://tidewater.example/2026/harbour"


class Requests:
    """As requests and HTTPX have it."""

    content = "<p>Die Mühle steht.</p>".encode("latin-1")
    url = URL
    headers = {"Content-Type": "text/html; charset=ISO-8859-1"}  # noqa: RUF012


def test_response_names_address_and_charset() -> None:
    """The address is the base of links, and the header's charset decodes the body."""
    document = extract(Requests())
    assert URL == document.page.url
    assert "Die Mühle steht." == document.page.text.strip()
    assert "https://other.example/" == extract(Requests(), url="https://other.example/").page.url


def test_responses_of_libraries_are_read() -> None:
    """Real responses of HTTPX and urllib3, and of requests where it is installed."""
    httpx = pytest.importorskip("httpx2")
    body, headers = HARBOUR.encode(), {"Content-Type": "text/html; charset=utf-8"}
    responses = [
        httpx.Response(200, content=body, headers=headers, request=httpx.Request("GET", URL))
    ]
    urllib3 = pytest.importorskip("urllib3")
    responses.append(urllib3.HTTPResponse(body, headers=headers, preload_content=True))
    if find_spec("requests"):
        import requests

        responses.append(requests.Response())
        vars(responses[-1]).update(_content=body, url=URL, headers=headers)
    for response in responses:
        assert "The harbour" in extract(response).text


def test_object_without_body_is_refused() -> None:
    """Anything else is an InputError that names its type."""
    with pytest.raises(InputError, match="no body in a Message"):
        extract(Message())
