"""Renders a page in a process of its own, so that no page can outlast its time.

An order to the worker and its answer are one line of JSON each: the worker reads what strangers
wrote, so its answer is not unpickled.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Final

from thresher.errors import FetchError, LimitError, MissingExtraError, ThresherError, UsageError
from thresher.fetching.model import TIMEOUT_S, USER_AGENT, Fetched
from thresher.limits import MAX_BYTES
from thresher.support.quoting import quote

__all__ = [
    "VARIABLE",
    "Order",
    "check_browser",
    "find_chromium",
    "find_descendants",
    "kill_descendants",
    "read_answer",
    "render",
    "write_answer",
]

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


_UTF8 = "utf-8"


@dataclass(frozen=True, slots=True)
class Order:
    """One page to render."""

    url: str
    timeout_s: float
    max_bytes: int
    """Bytes of everything that the page loads, and of the page that its scripts write."""
    user_agent: str
    allow_private: bool

    def write(self) -> bytes:
        """Return the line for the worker."""
        return json.dumps(asdict(self)).encode() + b"\n"

    def too_late(self) -> FetchError:
        """Return the error of a page that is not ready in time."""
        message = f"no complete page within {self.timeout_s:g} s in the browser"
        return FetchError(message, url=self.url)

    @staticmethod
    def read(line: bytes) -> Order:
        """Read the line of `write`."""
        return Order(**json.loads(line))


def write_answer(outcome: Fetched | ThresherError) -> bytes:
    """Return the line that tells a page, or an error."""
    match outcome:
        case Fetched():
            told = {
                "url": outcome.url,
                "html": outcome.body.decode(_UTF8),
                "status": outcome.status,
                "is_public": outcome.is_public,
            }
        case FetchError():
            told = {"error": "fetch", "says": str(outcome), "url": outcome.url}
            told["status"] = outcome.status
        case LimitError():
            told = {"error": "limit", "says": outcome.what, "limit": outcome.limit}
            told["value"] = outcome.value
        case MissingExtraError():
            told = {"error": "extra", "says": outcome.extra}
        case UsageError():
            told = {"error": "usage", "says": str(outcome)}
        case _:
            told = {"error": "other", "says": str(outcome)}
    return json.dumps(told).encode() + b"\n"


def read_answer(line: bytes) -> Fetched:
    """Read the line of `write_answer`; raises the error that it tells."""
    try:
        told = json.loads(line)
    except ValueError:
        raise ThresherError("the process that rendered this page died of it") from None
    match told.get("error"):
        case None:
            body = told["html"].encode(_UTF8)
            is_public = told["is_public"]
            return Fetched(told["url"], body, _UTF8, "text/html", told["status"], is_public)
        case "fetch":
            raise FetchError(told["says"], url=told["url"], status=told["status"])
        case "limit":
            raise LimitError(told["says"], limit=told["limit"], value=told["value"])
        case "extra":
            raise MissingExtraError("rendering pages", told["says"])
        case "usage":
            raise UsageError(told["says"])
        case _:
            raise ThresherError(told["says"])


VARIABLE: Final = "THRESHER_CHROMIUM"
"""Environment variable that names the browser's program."""
_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""Programs that are looked for, in this order."""


def check_browser() -> None:
    """Raise MissingExtraError without Playwright, UsageError where no browser is named or found.

    A browser that Playwright has installed is looked for only when it is started.
    """
    if find_spec("playwright") is None:
        raise MissingExtraError("rendering pages", "browser")
    find_chromium()


def find_chromium() -> str | None:
    """Return the path of the browser, or None if Playwright's own is to be used.

    UsageError if `VARIABLE` names a file that is not there.
    """
    named = os.environ.get(VARIABLE)
    if named:
        if not Path(named).is_file():
            raise UsageError(f"{VARIABLE} names {named}, which is no file")
        return named
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


def find_descendants(pid: int) -> list[int]:
    """Return the processes below one, as far as ``/proc`` tells; nothing where there is none."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):  # it has just ended
            # The name before the last bracket may contain anything.
            fields = entry.read_text("latin-1").rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    found: list[int] = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def kill_descendants(pid: int) -> None:
    """Kill the processes below one, but not the process itself."""
    if os.name != "posix":
        return  # there Chromium ends when its pipe to Playwright closes
    for each in find_descendants(pid):
        with suppress(OSError):
            os.kill(each, signal.SIGKILL)
