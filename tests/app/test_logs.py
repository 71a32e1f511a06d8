"""Request logs, without addresses or content of pages; metrics and the health check."""

from __future__ import annotations

import json
import logging
from typing import Any

import anyio
import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from thresher import __version__
from thresher.app.logs import CONTENT_TYPE, JsonLines, Metrics, Observe


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


def test_metrics_are_written_as_prometheus_reads_them() -> None:
    """Counters with labels, a cumulative histogram with inclusive bounds, and gauges."""
    metrics = Metrics()
    metrics.count_request("GET", "/read/{page}", 200, 0.025)
    metrics.count_request("GET", "/read/{page}", 200, 3.0)
    metrics.count_request("POST", 'a"b\\c\n', 500, 99.0)
    metrics.pages["content"] += 2
    expected = r"""thresher_requests_total{method="GET",route="/read/{page}",status="200"} 2
thresher_requests_total{method="POST",route="a\"b\\c\n",status="500"} 1
thresher_pages_total{outcome="content"} 2
thresher_request_seconds_bucket{le="0.01"} 0
thresher_request_seconds_bucket{le="0.025"} 1
thresher_request_seconds_bucket{le="5.0"} 2
thresher_request_seconds_bucket{le="+Inf"} 3
thresher_request_seconds_sum 102.025000
thresher_request_seconds_count 3
thresher_workers 2"""
    assert {*expected.splitlines()} <= {*metrics.write({"thresher_workers": 2}).splitlines()}


def test_metrics_are_those_of_the_server(app: TestClient) -> None:
    """Requests are counted by route, and gauges are reported; health is status and version."""
    assert {"status": "ok", "version": __version__} == app.get("/healthz").json()
    app.get("/read/anything")
    answer = app.get("/metrics")
    assert CONTENT_TYPE == answer.headers["content-type"]
    assert 'thresher_requests_total{method="GET",route="/healthz",status="200"}' in answer.text
    assert 'route="/read/{page}",status="404"' in answer.text
    for name in ("kept_bytes", "kept_pages", "calls_waiting", "workers", "requests_in_flight"):
        assert f"\nthresher_{name} " in answer.text
