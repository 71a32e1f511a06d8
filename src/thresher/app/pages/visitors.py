"""Who visits: login with the access token, display preferences, and the labeller's name.

Each is kept in cookies.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, unquote

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.app.context import (
    COOKIE,
    context_of,
    form_of,
    read_preferences,
    render,
    write_preferences,
)
from thresher.app.guards import SESSION, is_token, session_of
from thresher.labelling.queues import MAX_NAME_CHARS
from thresher.labelling.store import ORDERS
from thresher.serving.pages import YEAR_S


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


_LABELLER: Final = "thresher_labeller"
_ORDER: Final = "thresher_order"
_ME: Final = "me"
"""Default name of the labeller."""


async def set_labeller(request: Request) -> Response:
    """Save the labeller's name and the order."""
    form = form_of(request)
    name = labeller_in(form) or _ME
    order = str(form.get("order", ""))
    response = RedirectResponse("/label", 303)
    for cookie, value in ((_LABELLER, quote(name)), (_ORDER, order if order in ORDERS else "")):
        response.set_cookie(cookie, value, YEAR_S, httponly=True, samesite="lax")
    return response


def labeller_in(form: FormData) -> str:
    """Return the labeller's name in a form; empty if there is none."""
    return " ".join(str(form.get("who", "")).split())[:MAX_NAME_CHARS]


def labeller_of(request: Request) -> str:
    """Return the labeller's name."""
    return unquote(request.cookies.get(_LABELLER, ""))[:MAX_NAME_CHARS] or _ME


def order_of(request: Request) -> str:
    """Return the order of the queue, one of `ORDERS`."""
    order = request.cookies.get(_ORDER, "")
    return order if order in ORDERS else next(iter(ORDERS))
