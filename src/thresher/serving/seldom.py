"""Warnings of what may happen thousands of times a second, logged once in a while."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

__all__ = ["EVERY_S", "SeldomLog"]

EVERY_S: Final = 60.0
"""Seconds between two lines with the same message."""


class SeldomLog:
    """Logs each message at most once in `EVERY_S`, with the number of times left out."""

    def __init__(
        self, logger: logging.Logger, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._logger = logger
        self._clock = clock
        self._last_s: dict[str, float] = {}
        self._n_left_out: dict[str, int] = {}

    def warn(self, message: str) -> None:
        """Log a message, which must be one of a few, unless it was logged just now."""
        now_s = self._clock()
        if now_s - self._last_s.get(message, -EVERY_S) < EVERY_S:
            self._n_left_out[message] = self._n_left_out.get(message, 0) + 1
            return
        self._last_s[message] = now_s
        n_left_out = self._n_left_out.pop(message, 0)
        self._logger.warning("%s%s", message, f" ({n_left_out:,} more)" if n_left_out else "")
