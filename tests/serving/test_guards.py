"""Request guards and cross-site checks."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

import anyio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from thresher.serving.guards import RequestGuard, check_message, is_cross_site, is_form


def request(**headers: str) -> Request:
    """Build a request with headers."""
    fields = [(name.replace("_", "-").encode(), each.encode()) for name, each in headers.items()]
    return Request({"type": "http", "method": "POST", "path": "/", "headers": fields})


def ask(scope: dict[str, Any]) -> list[Any]:
    """Send a scope to an app whose guard rejects everything; return the messages."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "let through"})

    def refuse(request: Request) -> None:
        raise HTTPException(403, request.url.path)

    def answer(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return PlainTextResponse(f"not {error.detail}", error.status_code)

    anyio.run(RequestGuard(app, refuse, answer), scope, receive, send)
    return sent


def test_what_is_refused_is_answered() -> None:
    """Rejected requests do not reach the app; other scopes do."""
    head, body = ask(request().scope)
    assert (403, b"not /") == (head["status"], body["body"])
    assert [{"type": "let through"}] == ask({"type": "lifespan"})


@pytest.mark.parametrize(
    ("headers", "is_foreign"),
    [
        ({}, False),
        ({"sec_fetch_site": "none"}, False),
        ({"sec_fetch_site": "same-origin"}, False),
        ({"sec_fetch_site": "same-site"}, True),
        ({"sec_fetch_site": "cross-site"}, True),
        ({"sec_fetch_site": "made-up"}, True),
    ],
)
def test_other_sites(headers: dict[str, str], is_foreign: bool) -> None:
    """Requests are cross-site only if Sec-Fetch-Site says so."""
    assert is_foreign is is_cross_site(request(**headers))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("application/x-www-form-urlencoded", True),
        ("Multipart/Form-Data ; boundary=rye", True),
        ("application/json", False),
        ("", False),
    ],
)
def test_forms(kind: str, expected: bool) -> None:
    """Forms are recognized by media type, ignoring case and parameters."""
    assert expected is is_form(request(content_type=kind))


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", [(b"content-length", b"4"), (b"transfer-encoding", b"chunked")]),
        ("/", [(b"host", b"localhost"), (b"host", b"evil.example")]),
        ("http://evil.example/", [(b"host", b"localhost")]),
        ("evil.example:443", [(b"host", b"localhost")]),
        ("*", []),
    ],
)
def test_messages_that_can_be_read_in_two_ways(
    path: str, headers: list[tuple[bytes, bytes]]
) -> None:
    """Two lengths, two hosts, or an address in the place of a path are refused."""
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers}
    with pytest.raises(HTTPException) as refused:
        check_message(Request(scope))
    assert 400 == refused.value.status_code


def test_other_messages_are_let_through() -> None:
    """A message with one length, one host and a path is accepted."""
    check_message(request(host="localhost", transfer_encoding="chunked"))
    check_message(request(host="localhost", content_length="4"))
