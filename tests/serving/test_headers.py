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
    [("A.example:80", "a.example"), ("[::1]:1", "::1"), ("", ""), ("[", ""), ("a.", "a")],
)
def test_the_name_alone(header: str, name: str) -> None:
    """Port, brackets, case and a trailing dot are removed."""
    assert name == name_of(header)
