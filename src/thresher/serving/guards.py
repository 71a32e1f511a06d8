"""What guards of pages have in common: how one stands before them, and what it asks of a request.

A server on this machine is open to every page that its user looks at: such a page can send it
forms, and can have a name that is made to lead here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["LOOPBACK_NAMES", "Guard", "is_cross_site", "is_form"]

LOOPBACK_NAMES: Final = frozenset(("localhost", "127.0.0.1", "::1"))
"""Names of this machine, as `thresher.serving.headers.name_of` returns them."""
_OWN_SITES: Final = frozenset(("same-origin", "none"))
"""Values of Sec-Fetch-Site (Fetch Metadata) for what our pages, or the user, asked for."""
_FORMS: Final = frozenset(("application/x-www-form-urlencoded", "multipart/form-data"))


class Guard:
    """Middleware that looks at a request before anything else is done with it.

    ``check`` raises HTTPException for what is not let through; ``answer`` makes the answer of that.
    """

    def __init__(
        self,
        app: ASGIApp,
        check: Callable[[Request], None],
        answer: Callable[[Request, Exception], Response],
    ) -> None:
        self._app = app
        self._check = check
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through, or answer why not."""
        if scope["type"] == "http":
            request = Request(scope)
            try:
                self._check(request)
            except HTTPException as error:
                await self._answer(request, error)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def is_cross_site(request: Request) -> bool:
    """Tell whether a browser says that a page of another site asked.

    Browsers say so to secure origins only (Fetch Metadata, W3C); elsewhere nothing is known.
    """
    site = request.headers.get("sec-fetch-site")
    return site is not None and site not in _OWN_SITES


def is_form(request: Request) -> bool:
    """Tell whether the body of a request is a form."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower() in _FORMS
