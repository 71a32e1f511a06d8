"""Request logs: one line per request, as text or as JSON Lines.

For privacy, logs contain neither the addresses nor the content of pages.
"""

from __future__ import annotations

import json
import logging
import time
from datetime import UTC, datetime
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thresher.app.metrics import Metrics

__all__ = ["JsonLines", "Observe", "set_up_logs"]

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
