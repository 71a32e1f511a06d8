"""Request logs, one line per request, as text or as JSON Lines; and metrics for Prometheus.

For privacy, logs contain neither the addresses nor the content of pages. Metrics are in the text
format, version 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/
"""

from __future__ import annotations

import json
import logging
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


_LOG: Final = logging.getLogger(__name__)
_KNOWN: Final = ("method", "route", "status", "seconds")
_CLIENT_LEFT: Final = 499
"""Status of a request whose client disconnected early, as in nginx."""


class Observe:
    """Middleware that counts and logs each request by its route."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Measure the time until the response is sent."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = _CLIENT_LEFT
        start_s = time.perf_counter()

        async def send_and_look(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self._metrics.in_flight += 1
        try:
            await self._app(scope, receive, send_and_look)
        except ClientDisconnect:
            pass  # in the middle of a body: nobody is left to be answered
        except Exception:
            status = 500
            raise
        finally:
            self._metrics.in_flight -= 1
            took_s = time.perf_counter() - start_s
            route = getattr(scope.get("route"), "path", "(none)")
            self._metrics.count_request(scope["method"], route, status, took_s)
            facts = dict(zip(_KNOWN, (scope["method"], route, status, took_s), strict=True))
            _LOG.info("%s %s %d in %.3f s", *facts.values(), extra=facts)


class JsonLines(logging.Formatter):
    """Formats a log record as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Return time, level, logger, message and the fields of a request as JSON."""
        said: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        said |= {name: getattr(record, name) for name in _KNOWN if hasattr(record, name)}
        if record.exc_info:
            said["exception"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False, default=str)


def set_up_logs(*, json_lines: bool) -> None:
    """Send the logs of the app and of its server to standard error."""
    handler = logging.StreamHandler()
    plain = logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    handler.setFormatter(JsonLines() if json_lines else plain)
    for name in ("thresher", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.INFO)
        logger.propagate = False
