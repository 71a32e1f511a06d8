"""Request bodies that are compressed."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

from starlette.testclient import TestClient

PAGE = b"<title>Rye</title><article><h1>Rye</h1><p>Rye is sown in autumn.</p></article>"
ZIP = gzip.compress(PAGE)
ZIPPED = {"content-type": "text/html", "content-encoding": "gzip"}


def send(app: TestClient, body: bytes | Iterator[bytes], **headers: str) -> Any:
    return app.post("/api/extract?formats=text", content=body, headers=ZIPPED | headers)


def test_pages_and_batches_may_be_compressed(app: TestClient) -> None:
    """A page, JSON and lines are read as if they were not compressed."""
    assert "autumn" in send(app, gzip.compress(PAGE)).json()["output"]["text"]
    body = gzip.compress(json.dumps({"html": PAGE.decode()}).encode())
    headers = {"content-type": "application/json", "content-encoding": "GZip"}
    assert 200 == app.post("/api/extract", content=body, headers=headers).status_code
    lines = json.dumps({"html": PAGE.decode()}).encode() + b"\n"
    headers["content-type"] = "application/jsonl"
    answer = app.post("/api/batch", content=gzip.compress(lines * 30), headers=headers)
    assert list(range(1, 31)) == [json.loads(line)["line"] for line in answer.text.splitlines()]


def test_bodies_arrive_in_parts(app: TestClient) -> None:
    """Members that follow each other are one body, wherever its parts are cut."""
    page = PAGE + b"<p>" + b"rye " * 100_000 + b"The last words."
    body = gzip.compress(page[:5000]) + gzip.compress(page[5000:])
    for n_byte in (1, 7, 4096):
        parts = (body[at : at + n_byte] for at in range(0, len(body), n_byte))
        assert "The last words." in send(app, parts).json()["output"]["text"]


@pytest.mark.parametrize(
    ("body", "says"),
    [(PAGE, "not gzip"), (ZIP[:-9], "cut off"), (ZIP + b"rye", "not gzip")],
    ids=["plain", "cut off", "with something after it"],
)
def test_what_is_not_gzip_is_refused(app: TestClient, body: bytes, says: str) -> None:
    """A body that is not what it is said to be is an error of the request."""
    answer = send(app, body)
    assert 400 == answer.status_code
    assert says in answer.json()["error"]["message"]


def test_other_codings_are_refused(app: TestClient) -> None:
    """The answer to an unknown coding names the one that is read."""
    answer = send(app, PAGE, **{"content-encoding": "zstd"})
    assert (415, "gzip") == (answer.status_code, answer.headers["accept-encoding"])
    assert 200 == send(app, PAGE, **{"content-encoding": "identity"}).status_code


def test_what_comes_out_is_limited(open_app: Callable[..., Any]) -> None:
    """A small body that is a huge page is refused while it is decompressed."""
    with open_app(max_bytes=1000) as client:
        bomb = gzip.compress(b"<p>" + b"x" * 50_000_000)
        assert len(bomb) < 100_000
        assert 413 == send(client, bomb).status_code
