"""Text back to the bytes of a page's own encoding, in which its forms will be sent."""

from __future__ import annotations

from typing import Final

import thresher.page.decode  # noqa: F401  # whose parser registers the codecs whatwg-…

__all__ = ["encode_as"]

_CODECS: Final = {
    "big5": "big5hkscs",
    "euc-kr": "cp949",
    "gbk": "gb18030",
    "ibm866": "cp866",
    "iso-8859-8-i": "iso8859-8",
    "macintosh": "mac-roman",
    "shift_jis": "cp932",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
}
"""WHATWG name → Python's codec, where they differ in more than spelling."""
_UTF8: Final = "utf-8"


def encode_as(text: str, encoding: str) -> tuple[bytes, str]:
    """Encode the source of a page; return the bytes, and the encoding they are in.

    ``encoding`` is a name as `thresher.page.decode` gives it. What it lacks becomes character
    references. UTF-8 where Python and the WHATWG differ on the text, and for UTF-16, whose forms
    are sent in UTF-8 anyway.
    """
    whole = text.encode(_UTF8, "replace")
    if encoding == _UTF8 or encoding.startswith("utf-16"):
        return whole, _UTF8
    codec = _CODECS.get(encoding, encoding)
    try:
        shown = text.encode(codec, "ignore")
        if shown.decode(f"whatwg-{encoding}") != shown.decode(codec):
            return whole, _UTF8
        return text.encode(codec, "xmlcharrefreplace"), encoding
    except (LookupError, UnicodeError):
        return whole, _UTF8
