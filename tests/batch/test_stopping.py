"""Graceful stop on signals."""

from __future__ import annotations

import os
import signal
from threading import Thread

import pytest

from thresher.batch.stopping import until_stopped


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_asks_and_the_second_ends(number: signal.Signals) -> None:
    """The first signal requests a stop, the second interrupts; handlers are restored."""
    before = signal.getsignal(number)
    said: list[str] = []
    with until_stopped(said.append) as is_stopped:
        assert not is_stopped()
        os.kill(os.getpid(), number)
        assert is_stopped()
        assert 1 == len(said)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
    assert before == signal.getsignal(number)


def test_another_thread_is_never_asked() -> None:
    """Other threads are never stopped, as only the main thread receives signals."""
    answers: list[bool] = []

    def ask() -> None:
        with until_stopped(print) as is_stopped:
            answers.append(is_stopped())

    thread = Thread(target=ask)
    thread.start()
    thread.join()
    assert [False] == answers
