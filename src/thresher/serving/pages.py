"""Pages of both servers: their templates, and the statuses and titles of error pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
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


_CODE: Final = re.compile("`([^`]+)`")


def load_templates(folder: Path) -> Environment:
    """Return the templates in a folder, with autoescaping; undefined names raise an error.

    A template is loaded on first use. The filter ``code`` writes what messages have in backticks.
    """
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["code"] = _mark_code
    return environment


def _mark_code(text: str) -> Markup:
    """Escape a message, and make code of what is in backticks."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))
