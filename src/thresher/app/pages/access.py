"""Login with the access token, and logout."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.app.context import context_of, form_of, render
from thresher.app.guards import SESSION, is_token, session_of
from thresher.app.pages.preferences import local_path

__all__ = ["log_in", "log_out", "show_login"]


async def show_login(request: Request) -> Response:
    """Show the login form."""
    return render(
        request, "login.html", next=local_path(request.query_params.get("next")), is_wrong=False
    )


async def log_in(request: Request) -> Response:
    """Check the token, and set the session cookie."""
    form, token = form_of(request), context_of(request).settings.token
    after = local_path(str(form.get("next", "/")))
    if token is None:
        return RedirectResponse(after, 303)
    if not is_token(str(form.get("token", "")).strip(), token):
        return render(request, "login.html", status=401, next=after, is_wrong=True)
    response = RedirectResponse(after, 303)
    response.set_cookie(
        SESSION,
        session_of(token),
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response


async def log_out(request: Request) -> Response:
    """Delete the session cookie."""
    response = RedirectResponse("/login", 303)
    response.delete_cookie(SESSION)
    return response
