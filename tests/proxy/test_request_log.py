"""Log of requests."""

from __future__ import annotations

from thresher.proxy.statistics import RequestLog


def test_the_log_is_bounded() -> None:
    """Only the latest requests are known, with the beginning of their address."""
    log = RequestLog()
    for number in range(600):
        log.add(None, f"http://mill.example/{number}/{'x' * 10_000}", "inplace")
    found = log.find()
    assert (500, 500) == (len(found), len(found[0].url))
    assert found[0].url.startswith("http://mill.example/599/")
    assert 1 == len(log.find("/250/ inplace"))
