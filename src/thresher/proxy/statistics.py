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


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Statistics at one moment."""

    since: float
    """Seconds since the epoch."""
    pages: int
    outcomes: Mapping[str, int]
    """Outcome → pages."""
    reasons: Mapping[str, int]
    """Reason for leaving pages alone or passing them → pages."""
    removed: Mapping[str, int]
    """Filter → removed elements."""
    removed_chars: int
    n_byte: int
    n_byte_out: int
    median_added_s: float
    """Of the last 1,024 pages; 0 before the first."""
    p95_added_s: float
    median_queued_s: float
    """Likewise."""
    p95_queued_s: float
    recent: tuple[PageRecord, ...]
    """The latest pages, newest first."""
    n_stopped: int = 0
    """Requests of pages that were stopped."""
    stopped: Mapping[str, int] = field(default_factory=dict)
    """Host → requests to it that were stopped, the most first; of 1,000 hosts at most."""


class Statistics:
    """Counters of pages and requests. Without a lock, for use in one event loop."""

    def __init__(self) -> None:
        self._since = time.time()
        self._pages = self._removed_chars = self._n_byte = self._n_byte_out = 0
        self._outcomes: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._removed: Counter[str] = Counter()
        self._added_s: deque[float] = deque(maxlen=_N_TIME)
        self._queued_s: deque[float] = deque(maxlen=_N_TIME)
        self._n_stopped = 0
        self._stopped: Counter[str] = Counter()
        self._recent: deque[PageRecord] = deque(maxlen=_N_RECENT)

    def count(self, seen: PageRecord) -> None:
        """Count one page."""
        self._pages += 1
        self._outcomes[seen.outcome] += 1
        if seen.reason:
            self._reasons[seen.reason] += 1
        self._removed.update(seen.removed)
        self._removed_chars += seen.removed_chars
        self._n_byte += seen.n_byte
        self._n_byte_out += seen.n_byte_out
        self._added_s.append(seen.added_s)
        self._queued_s.append(seen.queued_s)
        self._recent.appendleft(seen)

    def count_stopped(self, host: str) -> None:
        """Count one stopped request."""
        self._n_stopped += 1
        if host in self._stopped or len(self._stopped) < _N_STOPPED:
            self._stopped[host] += 1

    def snapshot(self) -> Snapshot:
        """Return the current statistics."""
        return Snapshot(
            self._since,
            self._pages,
            dict(self._outcomes),
            dict(self._reasons),
            dict(self._removed),
            self._removed_chars,
            self._n_byte,
            self._n_byte_out,
            *_median_and_p95(self._added_s),
            *_median_and_p95(self._queued_s),
            tuple(self._recent),
            self._n_stopped,
            dict(self._stopped.most_common()),
        )


def _median_and_p95(values: Iterable[float]) -> tuple[float, float]:
    """Return two quantiles; 0 without values."""
    ranked = sorted(values) or [0.0]
    return ranked[len(ranked) // 2], ranked[min(len(ranked) - 1, len(ranked) * 95 // 100)]


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
