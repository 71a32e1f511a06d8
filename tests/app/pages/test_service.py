"""Health check and metrics."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

from starlette.testclient import TestClient

from thresher import __version__
from thresher.app.logs import CONTENT_TYPE


def test_health_is_told(app: TestClient) -> None:
    """The health check returns status and version only."""
    assert {"status": "ok", "version": __version__} == app.get("/healthz").json()


def test_metrics_are_those_of_the_server(app: TestClient) -> None:
    """Requests are counted by route, and gauges are reported."""
    app.get("/healthz")
    app.get("/read/anything")
    answer = app.get("/metrics")
    assert CONTENT_TYPE == answer.headers["content-type"]
    assert 'thresher_requests_total{method="GET",route="/healthz",status="200"}' in answer.text
    assert 'route="/read/{page}",status="404"' in answer.text
    for name in ("kept_bytes", "kept_pages", "calls_waiting", "workers", "requests_in_flight"):
        assert f"\nthresher_{name} " in answer.text
