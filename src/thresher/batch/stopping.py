"""Graceful stop of a batch: pages in progress are finished and written."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Final

__all__ = ["until_stopped"]

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def until_stopped(say: Callable[[str], object]) -> Iterator[Callable[[], bool]]:
    """Provide a function that returns whether SIGINT or SIGTERM was received.

    A second signal raises KeyboardInterrupt. Outside the main thread, which alone receives signals,
    the function always returns False.
    """
    asked = False
    if current_thread() is not main_thread():
        yield lambda: False
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        say("stopping: the pages under way are finished first")

    try:
        for number in _SIGNALS:
            signal.signal(number, stop)
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
