"""Log page: the latest requests with their outcome and the reason."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response

from thresher.proxy.pages.context import context_of, render

__all__ = ["show"]


async def show(request: Request) -> Response:
    """Show the entries that contain the words of the query."""
    words = request.query_params.get("words", "")
    entries = context_of(request).state.log.find(words)
    times = [datetime.fromtimestamp(each.when, UTC).strftime("%H:%M:%S") for each in entries]
    return render(
        request,
        "log.html",
        words=words,
        entries=tuple(zip(times, entries, strict=True)),
        has_users=any(each.user for each in entries),
    )
