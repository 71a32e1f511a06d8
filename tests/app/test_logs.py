"""Request logs, without addresses or content of pages."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

import anyio
from starlette.requests import Request
from starlette.testclient import TestClient

from thresher.app.logs import JsonLines, Metrics, Observe


def test_requests_are_logged_by_route(app: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    """A line has the route and status, but not the requested address."""
    with caplog.at_level(logging.INFO, "thresher.app.logs"):
        app.get("/read/secret?theme=secret")
    (line,) = [record for record in caplog.records if record.name == "thresher.app.logs"]
    assert "GET /read/{page} 404" in line.getMessage()
    assert "secret" not in line.getMessage()


def test_json_lines_have_every_fact() -> None:
    """A record is one JSON object, with request fields and exceptions."""
    record = logging.LogRecord("thresher", logging.INFO, "", 1, "said %d", (3,), None)
    record.status = 200
    found = json.loads(JsonLines().format(record))
    assert ("info", "said 3", 200) == (found["level"], found["message"], found["status"])
    try:
        raise ValueError("broken\nin two")
    except ValueError as error:
        record.exc_info = (ValueError, error, error.__traceback__)
    line = JsonLines().format(record)
    assert "\n" not in line
    assert "broken" in json.loads(line)["exception"]


def test_a_client_that_leaves_has_one_line(caplog: pytest.LogCaptureFixture) -> None:
    """A connection that ends within a body is a line of the log, and no error of the app."""

    async def read(scope: Any, receive: Any, send: Any) -> None:
        await Request(scope, receive).body()

    async def receive() -> Any:
        return {"type": "http.disconnect"}

    async def ask() -> None:
        scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
        await Observe(read, Metrics())(scope, receive, receive)

    with caplog.at_level(logging.INFO, "thresher.app.logs"):
        anyio.run(ask)
    (line,) = caplog.records
    assert "POST (none) 499" in line.getMessage()
