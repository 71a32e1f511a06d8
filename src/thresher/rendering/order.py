"""Orders to a worker and its answers: one line of JSON each.

The worker reads what strangers wrote, so its answer is not unpickled.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from thresher.errors import FetchError, LimitError, MissingExtraError, ThresherError, UsageError
from thresher.fetching.model import Fetched

__all__ = ["Order", "read_answer", "write_answer"]

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
