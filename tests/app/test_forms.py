"""CSRF protection of forms, and limits of bodies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

import anyio
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from thresher.app.request_bodies import COOKIE, LimitBody


def test_forms_are_refused_without_their_token(app: TestClient) -> None:
    """Forms without a matching token and cookie are rejected."""
    assert 403 == app.post("/preferences", data={"theme": "dark"}).status_code
    app.get("/")
    assert 403 == app.post("/preferences", data={"theme": "dark"}).status_code
    assert 403 == app.post("/preferences", data={"csrf": "x", "theme": "dark"}).status_code
    token = app.cookies[COOKIE]
    app.cookies.clear()
    assert 403 == app.post("/preferences", data={"csrf": token}).status_code


def test_forms_are_read_with_their_token(app: TestClient, post: Callable[..., Any]) -> None:
    """The token is accepted in the form, also with a file, or in a header."""
    assert 303 == post(app, "/preferences", data={"theme": "dark"}).status_code
    answer = post(app, "/read", files={"file": ("a.html", b"<p>Rye.", "text/html")})
    assert 303 == answer.status_code
    header = {"x-csrf-token": app.cookies[COOKIE]}
    assert 303 == app.post("/preferences", data={"theme": "light"}, headers=header).status_code


def test_cookie_stays_when_there_is_one(app: TestClient) -> None:
    """An existing cookie is reused."""
    assert COOKIE in app.get("/").headers["set-cookie"]
    assert "set-cookie" not in app.get("/").headers


def test_bodies_are_refused_when_too_large(open_app: Callable[..., Any]) -> None:
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
