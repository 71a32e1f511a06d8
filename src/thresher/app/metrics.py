"""Server metrics in the text format of Prometheus.

The format: https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

__all__ = ["CONTENT_TYPE", "Metrics"]

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS_S: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the histogram's buckets, in seconds."""
_ESCAPES: Final = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})

Labels = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Metrics:
    """Counters since the start; for use in one event loop."""

    requests: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    """Requests by method, route and status."""
    pages: Counter[str] = field(default_factory=Counter)
    """Pages by verdict, or by the name of the error."""
    in_flight: int = 0
    """Requests in progress."""
    _took: Counter[int] = field(default_factory=Counter)
    """Requests by index of their bucket."""
    _total_s: float = 0.0

    def count_request(self, method: str, route: str, status: int, took_s: float) -> None:
        """Count a finished request. ``route`` is a pattern, as paths are unbounded in number."""
        self.requests[method, route, status] += 1
        self._took[bisect_left(_BUCKETS_S, took_s)] += 1
        self._total_s += took_s

    def write(self, gauges: Mapping[str, float]) -> str:
        """Return all metrics as text, with additional gauges by name."""
        return "\n".join([*self._lines(gauges), ""])

    def _lines(self, gauges: Mapping[str, float]) -> Iterator[str]:
        yield "# TYPE thresher_requests_total counter"
        for (method, route, status), n in sorted(self.requests.items()):
            labels = (("method", method), ("route", route), ("status", str(status)))
            yield f"thresher_requests_total{_format_labels(labels)} {n}"
        yield "# TYPE thresher_pages_total counter"
        for outcome, n in sorted(self.pages.items()):
            yield f"thresher_pages_total{_format_labels((('outcome', outcome),))} {n}"
        yield "# TYPE thresher_request_seconds histogram"
        below = 0
        for index, bound in enumerate((*map(str, _BUCKETS_S), "+Inf")):
            below += self._took[index]
            yield f"thresher_request_seconds_bucket{_format_labels((('le', bound),))} {below}"
        yield f"thresher_request_seconds_sum {self._total_s:.6f}"
        yield f"thresher_request_seconds_count {below}"
        for name, value in {"thresher_requests_in_flight": self.in_flight, **gauges}.items():
            yield f"# TYPE {name} gauge"
            yield f"{name} {value:g}"


def _format_labels(labels: Labels) -> str:
    return "{" + ",".join(f'{name}="{value.translate(_ESCAPES)}"' for name, value in labels) + "}"
