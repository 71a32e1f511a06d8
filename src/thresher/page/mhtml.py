"""Web archives in one file: MHTML (RFC 2557), as browsers save pages.

A page is the first part of type ``text/html``; its address is the one that the browser noted. Only
headers are read by the standard library, whose parser of messages takes time in proportion to lines
times levels; the parts are cut out here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from thresher.deadline import check_deadline
from thresher.errors import InputError

if TYPE_CHECKING:
    from email.message import Message


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    """The page of an archive."""

    html: bytes
    charset: str | None
    """Charset that the archive names, as a server would."""
    url: str | None


def web_address(*stated: str) -> str | None:
    """Return the first of some addresses that is one of the web; None if none is."""
    stripped = (url.strip() for url in stated)
    return next((url for url in stripped if url.lower().startswith(("http://", "https://"))), None)


_HEAD_BYTES: Final = 8192
"""Bytes in which the type must be named, and a header must end; browsers write some 400."""
_MAX_PARTS: Final = 32
"""Parts that are looked at; browsers write the page first."""
_HEADER: Final = re.compile(rb"\s*[A-Za-z][A-Za-z0-9-]*:")
_RELATED: Final = re.compile(rb"(?im)^content-type:\s*multipart/related\b")
_HEAD_END: Final = re.compile(rb"\r?\n\r?\n")
_ENCODINGS: Final = frozenset(("base64", "quoted-printable"))
"""Encodings that are undone; all others of browsers leave the bytes as they are."""
_ADDRESSES: Final = ("Snapshot-Content-Location", "Content-Location")
_NO_PAGE: Final = "This is an MHTML file without a part of type text/html: save the page again."


def unpack_mhtml(data: bytes | str) -> ArchivedPage | None:
    """Return the page of an MHTML file, None for any other input.

    InputError for an archive without a page.
    """
    if isinstance(data, str) or not _HEADER.match(data[:_HEAD_BYTES]):
        return None
    if not _RELATED.search(data[:_HEAD_BYTES]):
        return None
    data = data.lstrip()
    try:
        archive, start = _read_head(data, 0, len(data))
        spans = [(start, len(data), archive)]
        """Parts to be looked at, the next one last."""
        for _ in range(_MAX_PARTS):
            if not spans:
                break
            check_deadline()
            start, stop, part = spans.pop()
            if part.get_content_type() == "text/html":
                return _read(archive, part, data[start:stop])
            parts = list(islice(_find_parts(data, start, stop, part), _MAX_PARTS))
            for begin, end in reversed(parts):
                inner, begin_body = _read_head(data, begin, end)
                spans.append((begin_body, end, inner))
    except (RecursionError, LookupError, ValueError) as error:
        raise InputError(f"This MHTML file cannot be read: {error}") from error
    raise InputError(_NO_PAGE)


def _read_head(data: bytes, start: int, stop: int) -> tuple[Message, int]:
    """Read the header of a part; return it, and where the body begins."""
    # Few inputs are archives, and the import takes longer than most pages.
    from email.parser import BytesHeaderParser

    limit = min(start + _HEAD_BYTES, stop)
    match = _HEAD_END.search(data, start, limit)
    end = match.end() if match else limit
    # The newer policies take time in proportion to the square of the parameters.
    return BytesHeaderParser().parsebytes(data[start:end]), end


def _find_parts(data: bytes, start: int, stop: int, part: Message) -> Iterator[tuple[int, int]]:
    """Yield where the parts of a part begin and end, if it has any."""
    boundary = part.get_boundary() if part.get_content_maintype() == "multipart" else None
    if not boundary:
        return
    name = re.escape(boundary.encode("utf-8", "surrogateescape"))
    delimiter = re.compile(rb"(?:\r?\n|^)--" + name + rb"(--)?[ \t]*(?:\r?\n|$)")
    before = delimiter.search(data, max(start - 2, 0), stop)
    while before and not before[1]:
        # The line end of a delimiter can be that before the next one.
        behind = delimiter.search(data, before.end() - 2, stop)
        yield before.end(), max(behind.start(), before.end()) if behind else stop
        before = behind


def _read(archive: Message, part: Message, content: bytes) -> ArchivedPage:
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    if encoding in _ENCODINGS:
        part.set_payload(content.decode("ascii", "surrogateescape"))
        body = part.get_payload(decode=True)
        content = body if isinstance(body, bytes) else b""
    stated = [(part, "Content-Location"), *((archive, name) for name in _ADDRESSES)]
    url = web_address(*(_text_of(head, name) for head, name in stated))
    return ArchivedPage(content, part.get_content_charset(), url)


def _text_of(head: Message, name: str) -> str:
    """Return a field in one line, with encoded words decoded (RFC 2047) if they can be.

    Empty if it is missing.
    """
    from email.errors import MessageError
    from email.header import decode_header, make_header

    field: object = head.get(name, "")
    with suppress(MessageError, LookupError, ValueError):
        field = make_header(decode_header(str(field)))
    return " ".join(str(field).split())
