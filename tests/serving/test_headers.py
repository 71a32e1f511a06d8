"""Security headers, and parsing of Host."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

import anyio
from starlette.responses import PlainTextResponse

from thresher.serving.headers import SecureHeaders, name_of


def test_an_answer_keeps_its_own_headers() -> None:
    """Missing headers are added, and existing ones are kept."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    async def ask() -> None:
        page = PlainTextResponse("rye", headers={"X-Frame-Options": "SAMEORIGIN"})
        guarded = SecureHeaders(page, {"x-frame-options": "DENY", "Cache-Control": "no-store"})
        await guarded({"type": "http"}, receive, send)

    anyio.run(ask)
    headers = dict(sent[0]["headers"])
    assert (b"SAMEORIGIN", b"no-store") == (headers[b"x-frame-options"], headers[b"cache-control"])
    assert b"rye" == sent[1]["body"]


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
