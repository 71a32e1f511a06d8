"""Start page: a form for an address, a file or HTML."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from thresher.app.context import render

__all__ = ["show_start", "show_start_again"]


async def show_start(request: Request) -> Response:
    """Show the form and the bookmarklet."""
    return show_start_again(request, "", None, 200)


def show_start_again(request: Request, url: str, problem: str | None, status: int) -> Response:
    """Show the form with the submitted address and an error message."""
    target = request.url_for("open_address")
    bookmarklet = f"javascript:location.href='{target}?url='+encodeURIComponent(location.href)"
    return render(
        request, "start.html", status=status, url=url, problem=problem, bookmarklet=bookmarklet
    )
