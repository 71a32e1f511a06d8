"""Security headers of responses, and parsing of the Host header."""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import IPv6Address
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["SECURE_HEADERS", "SecureHeaders", "name_of"]

SECURE_HEADERS: Final[Mapping[str, str]] = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # With no-referrer, browsers would send the Origin null with our own forms.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # What a user reads is private.
    "Cache-Control": "no-store",
}
"""Headers of every page, besides its policy."""
_HOST: Final = re.compile(
    r"(?:\[(?P<v6>[0-9A-Fa-f:.]+)\]|(?P<name>[0-9A-Za-z_.-]*[0-9A-Za-z_-])\.?)(?::[0-9]{0,5})?"
)
"""Of a name, without its last dot; IDNA has been applied, so it is ASCII."""


class SecureHeaders:
    """Middleware that adds headers to every response that does not set them."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self._app = app
        self._headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the missing headers to the response."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


def name_of(header: str) -> str:
    """Return the name in a Host header, without port and brackets, in lower case.

    Empty if the header is more or less than a name and a port (RFC 9110, 7.2): others may read
    another name in it.
    """
    found = _HOST.fullmatch(header)
    if not found:
        return ""
    try:
        return str(IPv6Address(found["v6"])) if found["v6"] else found["name"].lower()
    except ValueError:
        return ""
