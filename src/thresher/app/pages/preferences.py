"""Display preferences: the form handler for browsers without scripts."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.app.context import form_of
from thresher.app.preferences import COOKIE, read_preferences, write_preferences

__all__ = ["YEAR_S", "local_path", "set_preferences"]

YEAR_S: Final = 365 * 24 * 60 * 60


async def set_preferences(request: Request) -> Response:
    """Save the preferences in a cookie, and redirect back."""
    form = form_of(request)
    chosen = read_preferences(request.cookies.get(COOKIE, ""))
    chosen |= {name: str(form[name]) for name in chosen if name in form}
    response = RedirectResponse(local_path(str(form.get("next", "/"))), 303)
    response.set_cookie(COOKIE, write_preferences(chosen), max_age=YEAR_S, samesite="lax")
    return response


def local_path(path: str | None) -> str:
    """Return a local path; the first page for anything that leads elsewhere."""
    is_local = path is not None and path.startswith("/") and path.isprintable()
    return path if path and is_local and "\\" not in path and not path.startswith("//") else "/"
