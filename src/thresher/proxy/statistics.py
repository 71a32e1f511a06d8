"""What the proxy has done since its start: statistics, and a log of the latest requests.

In memory only, and bounded: what people visit is never written to disk. Without locks, for use in
one event loop.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

_N_TIME: Final = 1024
"""Number of pages from which quantiles of the added time are computed."""
_N_STOPPED: Final = 1000
"""Number of hosts for which stopped requests are counted."""
_N_RECENT: Final = 100
"""Number of pages that are listed."""


@dataclass(frozen=True, slots=True)
class PageRecord:
    """Outcome of one page."""

    host: str
    outcome: str
    """``inplace``, ``reader``, ``text``: the view. ``left alone``, ``passed``: with a reason."""
    reason: str = ""
    """Why it was left alone (a portal …) or passed (a failure); one of a few texts."""
    n_byte: int = 0
    """Bytes of the page, decompressed."""
    n_byte_out: int = 0
    added_s: float = 0.0
    """Seconds from the last byte received to the first byte sent that depends on it."""
    queued_s: float = field(default=0.0, kw_only=True)
    """Seconds of these in which it waited for a worker."""
    removed: Mapping[str, int] = field(default_factory=dict)
    """Filter → elements it removed."""
    removed_chars: int = 0
    when: float = field(default_factory=time.time)
    """Seconds since the epoch."""


class Statistics:
    """Counters of pages and requests."""

    def __init__(self) -> None:
        self.since = time.time()
        """Seconds since the epoch."""
        self.pages = self.removed_chars = self.n_byte = self.n_byte_out = 0
        self.outcomes: Counter[str] = Counter()
        """Outcome → pages."""
        self.reasons: Counter[str] = Counter()
        """Reason for leaving pages alone or passing them → pages."""
        self.removed: Counter[str] = Counter()
        """Filter → removed elements."""
        self.recent: deque[PageRecord] = deque(maxlen=_N_RECENT)
        """The latest pages, newest first."""
        self.n_stopped = 0
        """Requests of pages that were stopped."""
        self.stopped: Counter[str] = Counter()
        """Host → requests to it that were stopped; of 1,000 hosts at most."""
        self._added_s: deque[float] = deque(maxlen=_N_TIME)
        self._queued_s: deque[float] = deque(maxlen=_N_TIME)

    def count(self, seen: PageRecord) -> None:
        """Count one page."""
        self.pages += 1
        self.outcomes[seen.outcome] += 1
        if seen.reason:
            self.reasons[seen.reason] += 1
        self.removed.update(seen.removed)
        self.removed_chars += seen.removed_chars
        self.n_byte += seen.n_byte
        self.n_byte_out += seen.n_byte_out
        self._added_s.append(seen.added_s)
        self._queued_s.append(seen.queued_s)
        self.recent.appendleft(seen)

    def count_stopped(self, host: str) -> None:
        """Count one stopped request."""
        self.n_stopped += 1
        if host in self.stopped or len(self.stopped) < _N_STOPPED:
            self.stopped[host] += 1

    def added_s(self, percent: int) -> float:
        """Return a quantile of the added time of the last 1,024 pages; 0 before the first."""
        return _quantile(self._added_s, percent)

    def queued_s(self, percent: int) -> float:
        """Return a quantile of their wait for a worker."""
        return _quantile(self._queued_s, percent)


def _quantile(values: Iterable[float], percent: int) -> float:
    ranked = sorted(values) or [0.0]
    return ranked[min(len(ranked) - 1, len(ranked) * percent // 100)]


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
