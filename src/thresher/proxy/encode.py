"""Encoding of a changed page in its original encoding, in which browsers submit its forms."""

from __future__ import annotations

from typing import Final

from thresher.page.decode import register_codecs

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
"""WHATWG encoding name → Python codec, where the names differ in more than punctuation."""
_UTF8: Final = "utf-8"


def encode_as(text: str, encoding: str) -> tuple[bytes, str]:
    """Encode the source of a page; return the bytes and their encoding.

    ``encoding`` is a name as returned by `thresher.page.decode`. Characters that it lacks become
    character references. Falls back to UTF-8 where Python and the WHATWG disagree on the text, and
    for UTF-16, whose forms are submitted in UTF-8 anyway.
    """
    whole = text.encode(_UTF8, "replace")
    if encoding == _UTF8 or encoding.startswith("utf-16"):
        return whole, _UTF8
    register_codecs()
    codec = _CODECS.get(encoding, encoding)
    try:
        shown = text.encode(codec, "ignore")
        if shown.decode(f"whatwg-{encoding}") != shown.decode(codec):
            return whole, _UTF8
        return text.encode(codec, "xmlcharrefreplace"), encoding
    except (LookupError, UnicodeError):
        return whole, _UTF8
