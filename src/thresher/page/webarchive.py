"""Web archives in one file: Safari's ``.webarchive``, a property list, binary or XML.

A page is its ``WebMainResource``; frames, style sheets and images are left alone. Of binary lists
(Apple's ``bplist00``) only the objects that are asked for are read, and nothing recurses: the
standard library reads all of them, but objects may overlap, so that a list of 1 MB can have a
trillion references, and may be nested to any depth.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from io import BytesIO
from typing import Final

from thresher.deadline import check_deadline
from thresher.errors import InputError, ThresherError
from thresher.page.mhtml import ArchivedPage, web_address

_MAGIC: Final = b"bplist00"
_TRAILER: Final = struct.Struct(">6xBBQQQ")
"""Bytes of an offset and of a reference, number of objects, the top one, place of the offsets."""
_MAX_WIDTH_BYTES: Final = 8
"""Of a number that is an offset, a reference or a size."""
_MAX_KEYS: Final = 64
"""Of a dictionary; those of saved pages have at most seven."""
_MAX_CHARS: Final = 65536
"""Of a text."""
_INTEGER, _DATA, _ASCII, _UTF16, _DICTIONARY = 0x1, 0x4, 0x5, 0x6, 0xD
_IN_NUMBER: Final = 15
"""Size in a marker that says that the size follows as a number."""


class _BinaryPlist:
    """A binary property list; every method raises ValueError for what is malformed."""

    def __init__(self, data: bytes) -> None:
        """Read where the objects are."""
        if len(data) < len(_MAGIC) + _TRAILER.size:
            raise ValueError("its end is missing")
        self._data = data
        self._stop = len(data) - _TRAILER.size
        trailer = _TRAILER.unpack_from(data, self._stop)
        self._offset_bytes, self._reference_bytes, self._n_object, self.top, self._table = trailer
        widths = (self._offset_bytes, self._reference_bytes)
        if not 1 <= min(widths) <= max(widths) <= _MAX_WIDTH_BYTES:
            raise ValueError("its end is damaged")

    def dictionary(self, reference: int) -> dict[str, int]:
        """Return key → reference of its value."""
        at, size = self._open(reference, _DICTIONARY)
        if size > _MAX_KEYS:
            raise ValueError(f"a dictionary has {size:,} keys")
        width = self._reference_bytes
        numbers = [self._number(at + n * width, width) for n in range(2 * size)]
        keys = (self.text(number) for number in numbers[:size])
        return dict(zip(keys, numbers[size:], strict=True))

    def text(self, reference: int) -> str:
        at, size = self._open(reference, _ASCII, _UTF16)
        if size > _MAX_CHARS:
            raise ValueError(f"a text has {size:,} characters")
        if self._kind(reference) == _ASCII:
            return self._take(at, size).decode("ascii")
        return self._take(at, 2 * size).decode("utf-16-be")

    def data(self, reference: int) -> bytes:
        """Return the bytes of a data object."""
        return self._take(*self._open(reference, _DATA))

    def _open(self, reference: int, *kinds: int) -> tuple[int, int]:
        """Return where the content of an object begins, and its size."""
        if self._kind(reference) not in kinds:
            raise ValueError("a value is of another type")
        at = self._place(reference)
        size = self._data[at] & 15
        if size < _IN_NUMBER:
            return at + 1, size
        marker = self._number(at + 1, 1)
        width = 1 << (marker & 15)
        if marker >> 4 != _INTEGER or width > _MAX_WIDTH_BYTES:
            raise ValueError("a size is no number")
        return at + 2 + width, self._number(at + 2, width)

    def _kind(self, reference: int) -> int:
        return self._data[self._place(reference)] >> 4

    def _place(self, reference: int) -> int:
        if reference >= self._n_object:
            raise ValueError("a reference leads nowhere")
        width = self._offset_bytes
        at = self._number(self._table + reference * width, width)
        if at >= self._stop:
            raise ValueError("a reference leads nowhere")
        return at

    def _number(self, at: int, width: int) -> int:
        return int.from_bytes(self._take(at, width), "big")

    def _take(self, at: int, size: int) -> bytes:
        if at + size > self._stop:
            raise ValueError("it is cut off")
        return self._data[at : at + size]


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
    if data.startswith(_MAGIC):
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
    plist = _BinaryPlist(data)
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
    import plistlib

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
