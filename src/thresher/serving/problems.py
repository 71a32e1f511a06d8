"""What went wrong, as an HTTP status and as the title of a page."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException

from thresher.errors import (
    FetchError,
    InputError,
    LimitError,
    MissingExtraError,
    ThresherError,
    UsageError,
)

__all__ = ["STATUSES", "TITLES", "status_of"]

STATUSES: Final[Mapping[type[ThresherError], HTTPStatus]] = {
    MissingExtraError: HTTPStatus.NOT_IMPLEMENTED,
    UsageError: HTTPStatus.BAD_REQUEST,
    InputError: HTTPStatus.UNPROCESSABLE_ENTITY,
    LimitError: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    FetchError: HTTPStatus.BAD_GATEWAY,
    ThresherError: HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""Status of each kind of error, the narrow kinds first."""

TITLES: Final[Mapping[int, str]] = {
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
"""What a page says of a status, for people."""


def status_of(error: Exception) -> int:
    """Return the HTTP status that says what went wrong."""
    if isinstance(error, HTTPException):
        return error.status_code
    return next((each.value for kind, each in STATUSES.items() if isinstance(error, kind)), 500)
