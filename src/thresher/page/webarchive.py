"""Web archives in one file: Safari's ``.webarchive``, a property list, binary or XML.

A page is its ``WebMainResource``; frames, style sheets and images are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BytesIO
from typing import Final

from thresher.deadline import check_deadline
from thresher.errors import InputError, ThresherError
from thresher.page.archived_page import ArchivedPage, web_address
from thresher.page.binary_plist import MAGIC, BinaryPlist

__all__ = ["unpack_webarchive"]

_MAIN: Final = "WebMainResource"
_CONTENT, _CHARSET, _URL = "WebResourceData", "WebResourceTextEncodingName", "WebResourceURL"
_HEAD_BYTES: Final = 4096
"""Bytes in which an XML list must name its page; keys are sorted, and it is the first of them."""
_XML: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml|!DOCTYPE plist|plist)\b")
_XML_KEYS: Final = (b"<plist", f"<key>{_MAIN}</key>".encode())
_MAX_TAG_BYTES: Final = 4096
"""Of a tag of an XML list; none but the first has attributes. The standard library reads a tag that
is not whole again with each 2 KB that follow."""
_LONG_TAG: Final = re.compile(b"<[^<>]{%d}" % _MAX_TAG_BYTES)
_NO_PAGE: Final = "This is a property list without a page of Safari: pass the HTML itself."


def unpack_webarchive(data: bytes | str) -> ArchivedPage | None:
    """Return the page of a web archive of Safari, None for any other input.

    InputError for a binary property list without a page, and an archive that cannot be read.
    """
    if isinstance(data, str):
        return None
    if data.startswith(MAGIC):
        read = _read_binary
    elif _XML.match(data) and all(key in data[:_HEAD_BYTES] for key in _XML_KEYS):
        read = _read_xml
    else:
        return None
    try:
        return read(data)
    except ThresherError:
        raise
    except Exception as error:  # the standard library's reader raises many kinds
        raise InputError(f"This webarchive file cannot be read: {error}") from error


def _read_binary(data: bytes) -> ArchivedPage:
    plist = BinaryPlist(data)
    main = plist.dictionary(plist.top).get(_MAIN)
    fields = {} if main is None else plist.dictionary(main)
    if _CONTENT not in fields:
        raise InputError(_NO_PAGE)
    charset, url = (
        plist.text(fields[name]) if name in fields else None for name in (_CHARSET, _URL)
    )
    return ArchivedPage(plist.data(fields[_CONTENT]), charset, web_address(url or ""))


def _read_xml(data: bytes) -> ArchivedPage:
    # Few inputs are archives.
    import plistlib  # noqa: PLC0415

    # Comments are read again as long tags are, and declared attributes belong to every element.
    if data.count(b"<!") > 1 or data.count(b"<?") > 1 or _LONG_TAG.search(data):
        raise InputError("This webarchive file has markup that no property list needs.")
    whole = plistlib.load(_Watched(data), fmt=plistlib.FMT_XML)
    main = whole.get(_MAIN) if isinstance(whole, Mapping) else None
    fields = main if isinstance(main, Mapping) else {}
    content, charset, url = (fields.get(name) for name in (_CONTENT, _CHARSET, _URL))
    if not isinstance(content, bytes):
        raise InputError(_NO_PAGE)
    return ArchivedPage(
        content,
        charset if isinstance(charset, str) else None,
        web_address(url if isinstance(url, str) else ""),
    )


class _Watched(BytesIO):
    """Bytes of which each part is read only before the deadline."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Read as a file does; LimitError after the deadline."""
        check_deadline()
        return super().read(size)
