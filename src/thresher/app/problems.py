"""What went wrong, as an answer: JSON for programs, a page for people."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from thresher.app.context import render
from thresher.errors import (
    FetchError,
    InputError,
    LimitError,
    MissingExtraError,
    ThresherError,
    UsageError,
)

__all__ = ["STATUSES", "answer", "describe", "handle", "is_for_programs", "status_of"]

STATUSES: Final[Mapping[type[ThresherError], HTTPStatus]] = {
    MissingExtraError: HTTPStatus.NOT_IMPLEMENTED,
    UsageError: HTTPStatus.BAD_REQUEST,
    InputError: HTTPStatus.UNPROCESSABLE_ENTITY,
    LimitError: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    FetchError: HTTPStatus.BAD_GATEWAY,
    ThresherError: HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""Status of each kind of error, the narrow kinds first."""

_TITLES: Final[Mapping[int, str]] = {
    400: "That cannot be done",
    401: "A token is needed",
    403: "Not allowed",
    404: "Not here",
    405: "Not like this",
    413: "Too much",
    415: "Not this kind of thing",
    422: "This is no page",
    501: "A part is missing",
    502: "The page could not be fetched",
    503: "Too busy",
}


def status_of(error: Exception) -> int:
    """Return the HTTP status that says what went wrong."""
    if isinstance(error, HTTPException):
        return error.status_code
    return next((each.value for kind, each in STATUSES.items() if isinstance(error, kind)), 500)


def describe(error: Exception) -> dict[str, object]:
    """Return what the API says of an error: its name, its message and what it carries."""
    if isinstance(error, HTTPException):
        phrase = HTTPStatus(error.status_code).phrase.title().replace(" ", "").replace("-", "")
        return {"type": phrase, "message": error.detail, "status": error.status_code}
    if not isinstance(error, ThresherError):
        # What it is about is for the log, not for strangers.
        return {"type": "InternalError", "message": "something broke in the server", "status": 500}
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
    """Tell whether a program asked: then errors are JSON."""
    wants = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or "application/json" in wants


def answer(request: Request, error: Exception) -> Response:
    """Answer a request with what went wrong."""
    status, headers = status_of(error), dict(getattr(error, "headers", None) or {})
    if is_for_programs(request):
        return JSONResponse({"error": describe(error)}, status, headers)
    return render(
        request,
        "problem.html",
        status=status,
        headers=headers,
        title=_TITLES.get(status, "Something broke"),
        message=str(describe(error)["message"]),
        code=status,
    )


async def handle(request: Request, error: Exception) -> Response:
    """Answer, as Starlette calls for it."""
    return answer(request, error)
