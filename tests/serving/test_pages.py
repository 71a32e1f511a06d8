"""Pages of both servers: statuses, templates, security headers, and guards of requests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")
pytest.importorskip("jinja2", reason="the extra app is not installed")

import anyio
from jinja2 import UndefinedError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp

from thresher.errors import (
    FetchError,
    InputError,
    LimitError,
    MissingExtraError,
    ThresherError,
    UsageError,
)
from thresher.serving.pages import (
    STATUSES,
    TITLES,
    RequestGuard,
    SecureHeaders,
    check_message,
    is_cross_site,
    is_form,
    load_templates,
    name_of,
    status_of,
)


def test_statuses_say_whose_fault_it_is() -> None:
    """Each error class has its status, and each status, except internal errors, a title."""
    assert 400 == status_of(UsageError("x"))
    assert 501 == status_of(MissingExtraError("x", "y"))
    assert 422 == status_of(InputError("x"))
    assert 413 == status_of(LimitError("x", limit=1))
    assert 502 == status_of(FetchError("x", url="y"))
    assert 500 == status_of(ThresherError("x")) == status_of(KeyError("x"))
    assert 418 == status_of(HTTPException(418))
    assert list(STATUSES)[-1] is ThresherError
    assert [500] == [status for status in STATUSES.values() if status not in TITLES]


def test_values_are_escaped_and_must_be_there(tmp_path: Path) -> None:
    """Values are escaped, undefined ones are errors, and backticks of a message are code."""
    template = "{% if true %}\n<p>{{ said|code }}</p>\n{% endif %}\n"
    (tmp_path / "page.html").write_text(template)
    page = load_templates(tmp_path).get_template("page.html")
    expected = "<p>the root <code>&lt;b&gt;</code> is &amp; was</p>\n"
    assert expected == page.render(said="the root `<b>` is & was")
    (tmp_path / "plain.html").write_text("{{ said }}")
    plain = load_templates(tmp_path).get_template("plain.html")
    assert "&lt;b&gt;" == plain.render(said="<b>")
    with pytest.raises(UndefinedError):
        plain.render()


def ask(app: ASGIApp, scope: dict[str, Any]) -> list[Any]:
    """Call an application; return the messages that it sends."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    anyio.run(app, scope, receive, send)
    return sent


def test_an_answer_keeps_its_own_headers() -> None:
    """Missing headers are added, and existing ones are kept."""
    page = PlainTextResponse("rye", headers={"X-Frame-Options": "SAMEORIGIN"})
    guarded = SecureHeaders(page, {"x-frame-options": "DENY", "Cache-Control": "no-store"})
    head, body = ask(guarded, {"type": "http"})
    headers = dict(head["headers"])
    assert (b"SAMEORIGIN", b"no-store") == (headers[b"x-frame-options"], headers[b"cache-control"])
    assert b"rye" == body["body"]


@pytest.mark.parametrize(
    ("header", "name"),
    [
        *(("A.example:80", "a.example"), ("[::1]:1", "::1"), ("a.", "a"), ("a.:80", "a")),
        *(("a:", "a"), ("[0:0::0:1]", "::1"), ("127.0.0.1", "127.0.0.1"), ("a_b-c", "a_b-c")),
    ],
)
def test_the_name_alone(header: str, name: str) -> None:
    """Port, brackets, case and a trailing dot are removed."""
    assert name == name_of(header)


@pytest.mark.parametrize(
    "header",
    [
        *("", "[", ".", "a..", ":80", "user@localhost", "evil.example@localhost", "localhost/a"),
        *("localhost?a", "localhost#a", "localhost\\a", "local\thost", " localhost", "localhost "),
        *("localhost:a", "localhost:80:80", "localhost:123456", "[::1]a", "[::1%25lo]", "[::1]@b"),
        *("[1.2.3]", "[127.0.0.1]", "localhost,evil.example", "l\u00f6calhost", "local%68ost"),
    ],
)
def test_what_is_not_a_host_has_no_name(header: str) -> None:
    """A header in which there is more than a name and a port names nobody."""
    assert "" == name_of(header)


def request(**headers: str) -> Request:
    """Build a request with headers."""
    fields = [(name.replace("_", "-").encode(), each.encode()) for name, each in headers.items()]
    return Request({"type": "http", "method": "POST", "path": "/", "headers": fields})


def test_what_is_refused_is_answered() -> None:
    """Rejected requests do not reach the app; other scopes do."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "let through"})

    def refuse(request: Request) -> None:
        raise HTTPException(403, request.url.path)

    def answer(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return PlainTextResponse(f"not {error.detail}", error.status_code)

    guard = RequestGuard(app, refuse, answer)
    head, body = ask(guard, dict(request().scope))
    assert (403, b"not /") == (head["status"], body["body"])
    assert [{"type": "let through"}] == ask(guard, {"type": "lifespan"})


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
    """Requests are cross-site only if Sec-Fetch-Site says so; forms are known by media type."""
    assert is_foreign is is_cross_site(request(**headers))
    for kind in ("application/x-www-form-urlencoded", "Multipart/Form-Data ; boundary=rye"):
        assert is_form(request(content_type=kind))
    for kind in ("application/json", ""):
        assert not is_form(request(content_type=kind))


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
    """Two lengths, two hosts, or an address in the place of a path are refused, and only these."""
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers}
    with pytest.raises(HTTPException) as refused:
        check_message(Request(scope))
    assert 400 == refused.value.status_code
    check_message(request(host="localhost", transfer_encoding="chunked"))
    check_message(request(host="localhost", content_length="4"))
