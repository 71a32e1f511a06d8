"""The latest requests for pages and the stopped ones, each with its outcome and the reason.

In memory only, and bounded: what people visit is never written to disk.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from typing import Final

__all__ = ["LogEntry", "RequestLog"]

_MAX_ENTRIES: Final = 500
_MAX_URL_CHARS: Final = 500


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One request."""

    user: str
    """Empty without users."""
    url: str
    outcome: str
    """The view of a page, ``left alone`` or ``passed``; ``stopped`` for a request of a page."""
    reason: str = ""
    when: float = field(default_factory=time.time)
    """Seconds since the epoch."""


class RequestLog:
    """The latest entries, newest first. Without a lock, for use in one event loop."""

    def __init__(self) -> None:
        self._entries: deque[LogEntry] = deque(maxlen=_MAX_ENTRIES)

    def add(self, user: str | None, url: str, outcome: str, reason: str = "") -> None:
        """Add a request."""
        self._entries.appendleft(LogEntry(user or "", url[:_MAX_URL_CHARS], outcome, reason))

    def find(self, words: str = "") -> tuple[LogEntry, ...]:
        """Return the entries that contain every word, in any field."""
        wanted = words.lower().split()

        def is_wanted(entry: LogEntry) -> bool:
            text = f"{entry.user} {entry.url} {entry.outcome} {entry.reason}".lower()
            return all(word in text for word in wanted)

        return tuple(filter(is_wanted, self._entries))
