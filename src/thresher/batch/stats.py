"""Statistics of a batch: outcomes and speed; they can be merged over parts."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from thresher.batch.model import Record

__all__ = ["N_SLOWEST", "Stats"]

N_SLOWEST: Final = 10
"""Number of slowest pages listed."""
_UNKNOWN: Final = "unknown"


@dataclass(slots=True)
class Stats:
    """Statistics of some records."""

    n_record: int = 0
    n_byte: int = 0
    """Bytes of the input pages."""
    n_char: int = 0
    """Characters of the content, in the first available format."""
    work_s: float = 0.0
    """Seconds of processing, summed over workers."""
    verdicts: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    """By primary subtag."""
    errors: Counter[str] = field(default_factory=Counter)
    """By name of the exception."""
    duplicates: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, str, str]] = field(default_factory=list)
    """Seconds, id and source of the pages that took longest, the longest first."""

    @property
    def n_error(self) -> int:
        """Records with an error."""
        return self.errors.total()

    def add(self, record: Record) -> None:
        """Count one record."""
        self.n_record += 1
        self.n_byte += record.n_bytes
        self.n_char += len(record.text or record.markdown or record.html or "")
        self.work_s += record.elapsed_s
        if record.error is not None:
            self.errors[record.error.partition(":")[0]] += 1
        if record.verdict is not None:
            self.verdicts[record.verdict] += 1
            self.languages[(record.language or _UNKNOWN).partition("-")[0].lower()] += 1
        if record.duplicate is not None:
            self.duplicates[record.duplicate] += 1
        self._keep_slowest([(record.elapsed_s, record.id, record.source or "")])

    def merge(self, other: Mapping[str, Any]) -> None:
        """Add other statistics, as returned by `as_dict`."""
        for name in ("n_record", "n_byte", "n_char", "work_s"):
            setattr(self, name, getattr(self, name) + other[name])
        for name in ("verdicts", "languages", "errors", "duplicates"):
            getattr(self, name).update(other[name])
        self._keep_slowest([(time_s, id, source) for time_s, id, source in other["slowest"]])

    def drop_errors(self) -> None:
        """Forget the records with an error; their bytes and seconds remain."""
        self.n_record -= self.n_error
        self.errors.clear()

    def as_dict(self) -> dict[str, Any]:
        """Return the statistics for JSON, the most frequent values first."""
        counts = {
            name: dict(getattr(self, name).most_common())
            for name in ("verdicts", "languages", "errors", "duplicates")
        }
        return {
            "n_record": self.n_record,
            "n_byte": self.n_byte,
            "n_char": self.n_char,
            "work_s": round(self.work_s, 3),
            **counts,
            "slowest": [[round(time_s, 3), id, source] for time_s, id, source in self.slowest],
        }

    def _keep_slowest(self, found: list[tuple[float, str, str]]) -> None:
        if len(self.slowest) == N_SLOWEST and len(found) == 1 and found[0] < self.slowest[-1]:
            return
        self.slowest = heapq.nlargest(N_SLOWEST, [*self.slowest, *found])
