"""Error responses: JSON for API clients, a page for browsers."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from thresher.app.context import context_of, render
from thresher.errors import FetchError, LimitError, ThresherError
from thresher.serving.pages import TITLES, status_of
from thresher.support.files import DISK_FULL, is_disk_full

_WORD: Final = re.compile(r"[a-z]+ ")


def describe(error: Exception) -> dict[str, object]:
    """Return the API's description of an error: type, message and attributes."""
    if isinstance(error, HTTPException):
        phrase = HTTPStatus(error.status_code).phrase.title().replace(" ", "").replace("-", "")
        return {"type": phrase, "message": error.detail, "status": error.status_code}
    if is_disk_full(error):
        return {"type": "StorageError", "message": DISK_FULL, "status": status_of(error)}
    if not isinstance(error, ThresherError):
        # Details go to the log, not to clients.
        return {"type": "InternalError", "message": "internal server error", "status": 500}
    said: dict[str, object] = {
        "type": type(error).__name__,
        "message": str(error),
        "status": status_of(error),
    }
    if isinstance(error, LimitError):
        said |= {"what": error.what, "limit": error.limit, "value": error.value}
    if isinstance(error, FetchError):
        said |= {"url": error.url, "http_status": error.status}
    return said


def is_for_programs(request: Request) -> bool:
    """Return whether the client expects JSON, as all do where only the API is served."""
    if context_of(request).settings.only_api:
        return True
    wants = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or "application/json" in wants


def answer(request: Request, error: Exception) -> Response:
    """Return the response to a request that failed."""
    status, headers = status_of(error), dict(getattr(error, "headers", None) or {})
    if is_for_programs(request):
        return JSONResponse({"error": describe(error)}, status, headers)
    return render(
        request,
        "problem.html",
        status=status,
        headers=headers,
        title=TITLES.get(status, "Something went wrong"),
        message=_begin_sentence(_say(error)),
        code=status,
    )


def _say(error: Exception) -> str:
    """Return the message of an error, that of an unknown address in words."""
    message = str(describe(error)["message"])
    return "there is no page at this address" if message == HTTPStatus.NOT_FOUND.phrase else message


def _begin_sentence(message: str) -> str:
    """Capitalise a message that begins with a word, not with a name such as that of a file."""
    return message[:1].upper() + message[1:] if _WORD.match(message) else message


async def handle(request: Request, error: Exception) -> Response:
    """Return the error response; asynchronous, as Starlette requires."""
    return answer(request, error)
