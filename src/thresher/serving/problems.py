"""HTTP statuses and page titles of errors."""

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
    StorageError,
    ThresherError,
    UsageError,
)
from thresher.support.files import is_disk_full

__all__ = ["STATUSES", "TITLES", "status_of"]

STATUSES: Final[Mapping[type[ThresherError], HTTPStatus]] = {
    MissingExtraError: HTTPStatus.NOT_IMPLEMENTED,
    UsageError: HTTPStatus.BAD_REQUEST,
    InputError: HTTPStatus.UNPROCESSABLE_ENTITY,
    LimitError: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    FetchError: HTTPStatus.BAD_GATEWAY,
    StorageError: HTTPStatus.INSUFFICIENT_STORAGE,
    ThresherError: HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""Status of each error class, subclasses first."""

TITLES: Final[Mapping[int, str]] = {
    400: "Invalid request",
    401: "Token required",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    413: "Too large",
    415: "Unsupported type",
    422: "Not an HTML page",
    501: "Not installed",
    502: "Could not fetch the page",
    503: "Too busy",
    507: "Not saved",
}
"""Title of the error page for each status."""


def status_of(error: Exception) -> int:
    """Return the HTTP status of an error."""
    if isinstance(error, HTTPException):
        return error.status_code
    if is_disk_full(error):
        return HTTPStatus.INSUFFICIENT_STORAGE.value
    return next((each.value for kind, each in STATUSES.items() if isinstance(error, kind)), 500)
