"""The tools in a separate process: the same answers, and no page affects the next call."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from threading import Timer

import pytest

from thresher import InputError, LimitError, ThresherError, UsageError
from thresher.agents.guarded import GuardedTools
from thresher.agents.tools import Tools

PAGE = "<title>Grain</title><article><h1>Grain</h1><p>Rye is sown in autumn.</p></article>"


@pytest.fixture
def guarded() -> Iterator[Callable[..., GuardedTools]]:
    made: list[GuardedTools] = []

    def make(**options: object) -> GuardedTools:
        made.append(GuardedTools(**options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for tools in made:
        tools.close()


def test_answers_are_those_of_the_tools(guarded: Callable[..., GuardedTools]) -> None:
    """Each tool returns and raises the same as without a process."""
    tools, plain = guarded(), Tools()
    assert plain.extract(html=PAGE) == tools.extract(html=PAGE)
    assert plain.outline(html=PAGE) == tools.outline(html=PAGE)
    assert plain.chunk(0, html=PAGE) == tools.chunk(0, html=PAGE)
    with pytest.raises(UsageError, match="there is no chunk 9"):
        tools.chunk(9, html=PAGE)
    with pytest.raises(InputError, match="PDF"):
        tools.extract(html="%PDF-1.7 no page")


def test_call_that_takes_too_long_ends_its_process(guarded: Callable[..., GuardedTools]) -> None:
    """The call fails, and the next one gets a new process."""
    tools = guarded(call_s=0.001)
    with pytest.raises(LimitError, match="seconds of a call"):
        tools.extract(html=PAGE)
    tools._call_s = 60.0
    assert "Rye" in tools.extract(html=PAGE)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_process_that_dies_costs_one_call(guarded: Callable[..., GuardedTools]) -> None:
    """A process that dies during a call fails that call only; between calls it fails none."""
    tools = guarded()
    assert "Rye" in tools.extract(html=PAGE)
    assert tools._worker
    pid = tools._worker.process.pid
    os.kill(pid, signal.SIGSTOP)  # so that it does not answer
    killer = Timer(0.2, lambda: os.kill(pid, signal.SIGKILL))
    killer.start()
    with pytest.raises(ThresherError, match="died"):
        tools.extract(html=PAGE)
    assert "Rye" in tools.extract(html=PAGE)
    assert tools._worker
    os.kill(tools._worker.process.pid, signal.SIGKILL)
    tools._worker.process.wait()
    assert "Rye" in tools.extract(html=PAGE)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="counts memory as Linux does")
def test_page_that_takes_all_memory_costs_one_call(guarded: Callable[..., GuardedTools]) -> None:
    """The limit is that of the process; the error names it."""
    tools = guarded(max_memory_bytes=400 * 2**20)
    with pytest.raises(ThresherError, match=r"memory|died"):
        tools.extract(html="<p>w" * 900_000, format="markdown")
    assert "Rye" in tools.extract(html=PAGE)
