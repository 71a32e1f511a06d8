"""Warnings that are not repeated at once."""

from __future__ import annotations

import logging

import pytest

from thresher.serving.seldom import EVERY_S, SeldomLog


def test_a_message_is_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    """Repetitions within a minute are counted, and their number is said with the next line."""
    now_s = 0.0
    log = SeldomLog(logging.getLogger("rye"), clock=lambda: now_s)
    for _ in range(1_001):
        log.warn("full")
    log.warn("broken")
    now_s = EVERY_S
    log.warn("full")
    assert ["full", "broken", "full (1,000 more)"] == [each.message for each in caplog.records]
