"""Name of the labeller and order of the queue, stored in cookies."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, unquote

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.app.context import form_of
from thresher.labelling.store import ORDERS

__all__ = ["labeller_in", "labeller_of", "order_of", "set_labeller"]

_LABELLER: Final = "thresher_labeller"
_ORDER: Final = "thresher_order"
_ME: Final = "me"
"""Default name of the labeller."""
_MAX_NAME_CHARS: Final = 40
_YEAR_S: Final = 365 * 24 * 3600


async def set_labeller(request: Request) -> Response:
    """Save the labeller's name and the order."""
    form = form_of(request)
    name = labeller_in(form) or _ME
    order = str(form.get("order", ""))
    response = RedirectResponse("/label", 303)
    for cookie, value in ((_LABELLER, quote(name)), (_ORDER, order if order in ORDERS else "")):
        response.set_cookie(cookie, value, _YEAR_S, httponly=True, samesite="lax")
    return response


def labeller_in(form: FormData) -> str:
    """Return the labeller's name in a form; empty if there is none."""
    return " ".join(str(form.get("who", "")).split())[:_MAX_NAME_CHARS]


def labeller_of(request: Request) -> str:
    """Return the labeller's name."""
    return unquote(request.cookies.get(_LABELLER, ""))[:_MAX_NAME_CHARS] or _ME


def order_of(request: Request) -> str:
    """Return the order of the queue, one of `ORDERS`."""
    order = request.cookies.get(_ORDER, "")
    return order if order in ORDERS else next(iter(ORDERS))
