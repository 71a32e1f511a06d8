"""Metrics in the text format of Prometheus."""

from __future__ import annotations

from thresher.app.logs import Metrics


def test_metrics_are_written_as_prometheus_reads_them() -> None:
    """Counters with labels, a cumulative histogram and gauges are written."""
    metrics = Metrics()
    metrics.count_request("GET", "/read/{page}", 200, 0.02)
    metrics.count_request("GET", "/read/{page}", 200, 3.0)
    metrics.count_request("POST", 'a"b\\c\n', 500, 99.0)
    metrics.pages["content"] += 2
    lines = metrics.write({"thresher_workers": 2}).splitlines()
    assert 'thresher_requests_total{method="GET",route="/read/{page}",status="200"} 2' in lines
    assert r'thresher_requests_total{method="POST",route="a\"b\\c\n",status="500"} 1' in lines
    assert 'thresher_pages_total{outcome="content"} 2' in lines
    assert 'thresher_request_seconds_bucket{le="0.01"} 0' in lines
    assert 'thresher_request_seconds_bucket{le="0.025"} 1' in lines
    assert 'thresher_request_seconds_bucket{le="5.0"} 2' in lines
    assert 'thresher_request_seconds_bucket{le="+Inf"} 3' in lines
    assert "thresher_request_seconds_sum 102.020000" in lines
    assert "thresher_request_seconds_count 3" in lines
    assert "thresher_workers 2" in lines


def test_metrics_count_on_the_bound() -> None:
    """Bounds of buckets are inclusive."""
    metrics = Metrics()
    metrics.count_request("GET", "/", 200, 0.5)
    assert 'thresher_request_seconds_bucket{le="0.5"} 1' in metrics.write({})
    assert 'thresher_request_seconds_bucket{le="0.25"} 0' in metrics.write({})
