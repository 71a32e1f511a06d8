"""Renders a page in a process of its own, so that no page can outlast its time."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import Final

from thresher.errors import ThresherError, UsageError
from thresher.fetching.limits import TIMEOUT_S, USER_AGENT
from thresher.fetching.model import Fetched
from thresher.limits import MAX_BYTES
from thresher.rendering.chromium import check_browser
from thresher.rendering.order import Order, read_answer
from thresher.rendering.processes import kill_descendants
from thresher.support.quoting import quote

__all__ = ["render"]

_GRACE_S: Final = 5.0
"""Seconds after the deadline in which the worker can say what happened."""
_END_S: Final = 3.0
"""Seconds in which a worker ends its browser, once it is told to."""
_ANSWER_FACTOR: Final = 7
"""Bytes of an answer for a byte of the page: JSON writes a character as ``\\uXXXX`` at most."""


def render(
    url: str,
    *,
    timeout_s: float = TIMEOUT_S,
    max_bytes: int = MAX_BYTES,
    user_agent: str = USER_AGENT,
    allow_private: bool = False,
) -> Fetched:
    """Load a page in a browser, and return it as its scripts have left it, as UTF-8.

    The page, and everything that it loads, is fetched as by `thresher.fetching.fetch.fetch`, from
    the addresses that are allowed there; nothing else reaches the network. What the page loads must
    be allowed by robots.txt too. ``timeout_s`` covers all, and starting the browser. ``max_bytes``
    bounds what is loaded altogether, and the result.

    Raises MissingExtraError without the extra ``browser``, UsageError without a browser, FetchError
    if the page cannot be fetched or is not ready in time, LimitError if it is too large.
    """
    check_browser()
    if not (user_agent.isascii() and user_agent.isprintable()):
        raise UsageError(f"the user agent must be printable ASCII, not {quote(user_agent)}")
    order = Order(url, timeout_s, max_bytes, user_agent, allow_private)
    process = subprocess.Popen(
        # -P: a module in the working directory must not take the place of another.
        [sys.executable, "-P", "-m", "thresher.rendering.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for us, who then end it
    )
    try:
        return read_answer(_ask(process, order))
    except TimeoutError:
        raise order.too_late() from None
    finally:
        _end(process)


def _ask(process: subprocess.Popen[bytes], order: Order) -> bytes:
    """Return the worker's answer; TimeoutError if there is none in time."""
    future: Future[bytes] = Future()
    stdin, stdout = process.stdin, process.stdout
    assert stdin is not None
    assert stdout is not None
    most = order.max_bytes * _ANSWER_FACTOR + 2**16

    def read() -> None:
        try:
            stdin.write(order.write())
            stdin.flush()
            future.set_result(stdout.readline(most))
        except (OSError, ValueError):
            future.set_exception(ThresherError("the process that renders pages does not start"))

    Thread(target=read, name="thresher-render", daemon=True).start()
    return future.result(timeout=order.timeout_s + _GRACE_S)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the worker with its browser; the end of its input tells it to."""
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()
    try:
        process.wait(_END_S)
    except subprocess.TimeoutExpired:
        kill_descendants(process.pid)
        process.kill()
        process.wait()
    finally:
        assert process.stdout is not None
        process.stdout.close()
