"""Request bodies: CSRF protection of forms, limits, and gzip."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp, Post
from thresher.app.guards import COOKIE, LimitBody


def test_forms_are_refused_without_their_token(app: TestClient) -> None:
    """Forms without a matching token and cookie are rejected."""
    assert 403 == app.post("/preferences", data={"theme": "dark"}).status_code
    app.get("/")
    assert 403 == app.post("/preferences", data={"theme": "dark"}).status_code
    assert 403 == app.post("/preferences", data={"csrf": "x", "theme": "dark"}).status_code
    token = app.cookies[COOKIE]
    app.cookies.clear()
    assert 403 == app.post("/preferences", data={"csrf": token}).status_code


def test_forms_are_read_with_their_token(app: TestClient, post: Post) -> None:
    """The token is accepted in the form, also with a file, or in a header."""
    assert 303 == post(app, "/preferences", data={"theme": "dark"}).status_code
    answer = post(app, "/read", files={"file": ("a.html", b"<p>Rye.", "text/html")})
    assert 303 == answer.status_code
    assert "set-cookie" not in app.get("/").headers  # there is one
    header = {"x-csrf-token": app.cookies[COOKIE]}
    assert 303 == app.post("/preferences", data={"theme": "light"}, headers=header).status_code


def test_bodies_are_refused_when_too_large(open_app: OpenApp) -> None:
    """Bodies that are too large are rejected by their length, or while reading."""
    with open_app(max_bytes=1_000) as client:
        large = b"x" * 3_000_000
        headers = {"content-type": "text/html"}
        answer = client.post("/api/extract", content=large, headers=headers)
        assert (413, "close") == (answer.status_code, answer.headers["connection"])
        answer = client.post("/api/extract", content=iter([large]), headers=headers)
        assert 413 == answer.status_code
        assert "RequestEntityTooLarge" == answer.json()["error"]["type"]
        fits = client.post("/api/extract", content=b"<p>Rye.", headers=headers)
        assert 200 == fits.status_code


def test_bodies_are_given_up_when_too_slow() -> None:
    """A body that is sent too slowly is rejected."""

    async def read(scope: Any, receive: Any, send: Any) -> None:
        await receive()

    async def never(*_: Any) -> Any:
        await anyio.sleep_forever()

    async def ask() -> int:
        scope = {"type": "http", "path": "/x", "method": "POST", "headers": []}
        with anyio.fail_after(30), pytest.raises(HTTPException) as caught:
            await LimitBody(read, 10, 0.01, 100)(scope, never, never)
        return caught.value.status_code

    assert 408 == anyio.run(ask)


def test_bodies_are_refused_when_all_are_too_much() -> None:
    """The total of concurrent bodies is limited, and released afterwards."""

    async def ask() -> list[int]:
        statuses = []
        goes_on = anyio.Event()

        async def read(scope: Any, receive: Any, send: Any) -> None:
            await receive()
            await goes_on.wait()

        async def receive() -> Any:
            return {"type": "http.request", "body": b"x" * 6, "more_body": False}

        async def send(_: Any) -> None:
            raise AssertionError("nothing is sent here")

        limit = LimitBody(read, 10, 10.0, 10)
        scope = {"type": "http", "path": "/x", "method": "POST", "headers": []}
        async with anyio.create_task_group() as group:
            group.start_soon(limit, scope, receive, send)
            await anyio.wait_all_tasks_blocked()
            try:
                await limit(scope, receive, send)
            except HTTPException as error:
                statuses.append(error.status_code)
            goes_on.set()
        await limit(scope, receive, send)
        return statuses

    assert [503] == anyio.run(ask)


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


def test_what_comes_out_is_limited(open_app: OpenApp) -> None:
    """A small body that is a huge page is refused while it is decompressed."""
    with open_app(max_bytes=1000) as client:
        bomb = gzip.compress(b"<p>" + b"x" * 50_000_000)
        assert len(bomb) < 100_000
        assert 413 == send(client, bomb).status_code
