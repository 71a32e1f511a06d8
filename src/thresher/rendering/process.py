"""Renders a page in a process of its own, so that no page can outlast its time.

An order to the worker and its answer are one line of JSON each: the worker reads what strangers
wrote, so its answer is not unpickled.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from thresher.errors import FetchError, LimitError, MissingExtraError, ThresherError, UsageError
from thresher.fetching.model import TIMEOUT_S, USER_AGENT, Fetched
from thresher.limits import MAX_BYTES
from thresher.support.quoting import quote
from thresher.support.workers import Worker

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
    worker = Worker(
        # -P: a module in the working directory must not take the place of another.
        [sys.executable, "-P", "-m", "thresher.rendering.worker"],
        max_bytes * _ANSWER_FACTOR + 2**16,
        start_new_session=True,  # Ctrl-C is for us, who then end it
    )
    try:
        worker.send(order.write())
        return read_answer(worker.receive(timeout_s + _GRACE_S))
    except TimeoutError:
        raise order.too_late() from None
    except OSError:
        raise ThresherError("the process that renders pages does not start") from None
    finally:
        worker.end(_END_S)  # the end of its input tells it to end its browser


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
        raise ThresherError("the process that rendered this page died") from None
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
