"""Web archives in one file: MHTML (RFC 2557), as browsers save pages.

A page is the first part of type ``text/html``; its address is the one that the browser noted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from thresher.errors import InputError

if TYPE_CHECKING:
    from email.message import EmailMessage

__all__ = ["ArchivedPage", "unpack_mhtml"]

_HEAD_BYTES: Final = 8192
"""Bytes in which the type must be named; browsers write some 400."""
_HEADER: Final = re.compile(rb"\s*[A-Za-z][A-Za-z0-9-]*:")
_RELATED: Final = re.compile(rb"(?im)^content-type:\s*multipart/related\b")
_ADDRESSES: Final = ("Snapshot-Content-Location", "Content-Location")
_NO_PAGE: Final = "This is an MHTML file without a part of type text/html: save the page again."


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    """The page of an archive."""

    html: bytes
    charset: str | None
    """Charset of the part, as of a server."""
    url: str | None


def unpack_mhtml(data: bytes | str) -> ArchivedPage | None:
    """Return the page of an MHTML file, None for any other input.

    InputError for an archive without a page.
    """
    if isinstance(data, str) or not _HEADER.match(data[:_HEAD_BYTES]):
        return None
    if not _RELATED.search(data[:_HEAD_BYTES]):
        return None
    # Few inputs are archives, and the import takes longer than most pages.
    from email import message_from_bytes  # noqa: PLC0415
    from email.message import EmailMessage  # noqa: PLC0415
    from email.policy import default  # noqa: PLC0415

    try:
        archive = message_from_bytes(data.lstrip(), _class=EmailMessage, policy=default)
        for part in archive.walk():
            if part.get_content_type() == "text/html":
                return _read(archive, part)
    except (RecursionError, LookupError, ValueError) as error:
        raise InputError(f"This MHTML file cannot be read: {error}") from error
    raise InputError(_NO_PAGE)


def _read(archive: EmailMessage, part: EmailMessage) -> ArchivedPage:
    body = part.get_payload(decode=True)
    stated = [str(part.get("Content-Location", ""))]
    stated += [str(archive.get(name, "")) for name in _ADDRESSES]
    address = next((url.strip() for url in stated if _is_web(url.strip())), None)
    return ArchivedPage(
        body if isinstance(body, bytes) else b"", part.get_content_charset(), address
    )


def _is_web(url: str) -> bool:
    return url.lower().startswith(("http://", "https://"))
