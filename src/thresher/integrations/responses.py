"""Responses of HTTP libraries, recognised by their attributes.

    import requests
    from thresher.integrations.responses import extract

    document = extract(requests.get("https://example.org/story"))

Responses of requests, HTTPX, urllib3, aiohttp's after ``await response.read()``, and Scrapy work,
and others that have a body as ``content``, ``data`` or ``body``.
"""

from __future__ import annotations

from typing import Any

import thresher
from thresher.errors import InputError
from thresher.fetching.model import read_content_type

__all__ = ["extract"]

_BODIES = ("content", "data", "_body", "body")
"""Attributes that hold the bytes of a body: requests and HTTPX, urllib3, aiohttp, Scrapy."""


def extract(response: Any, **options: Any) -> thresher.Document:
    """Extract the page of a response, with its address and charset.

    ``options`` are those of `thresher.extract`, and take precedence. Raises as it does; InputError
    for an object without a body.
    """
    bodies = (getattr(response, name, None) for name in _BODIES)
    body = next((body for body in bodies if isinstance(body, bytes | bytearray)), None)
    if body is None:
        raise InputError(f"no body in a {type(response).__name__}")
    url = getattr(response, "url", None)
    defaults = {"url": str(url) if url else None, "http_charset": _charset_of(response)}
    return thresher.extract(bytes(body), **defaults | options)


def _charset_of(response: Any) -> str | None:
    headers = getattr(response, "headers", None)
    value = headers.get("Content-Type") if headers is not None else None
    if isinstance(value, bytes):  # Scrapy's
        value = value.decode("latin-1")
    return read_content_type(value)[0] if isinstance(value, str) else None
