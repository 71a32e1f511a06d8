"""Encoding of pages in their original encodings."""

from __future__ import annotations

import pytest

from thresher.page.decode import decode
from thresher.proxy.rewrite import encode_as


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("windows-1251", "Мельница у плотины"),
        ("windows-1252", "naïve – “café” €"),
        ("shift_jis", "水車小屋は堰の傍に"),
        ("euc-kr", "물레방아 똠"),
        ("gbk", "水磨坊在堰边"),
        ("big5", "水磨坊在堰邊"),
        ("koi8-r", "Мельница"),
        ("iso-8859-8-i", "טחנה"),
        ("macintosh", "naïve"),
    ],
)
def test_own_encoding(encoding: str, text: str) -> None:
    """Encoded pages decode to the same text in the same encoding."""
    encoded, name = encode_as(text, encoding)
    assert encoding == name
    assert text == decode(encoded, http_charset=encoding).text


def test_references() -> None:
    """Characters missing in the encoding become references."""
    assert (b"caf\xe9 &#937;", "windows-1252") == encode_as("café Ω", "windows-1252")


@pytest.mark.parametrize("encoding", ["utf-16le", "x-user-defined", "replacement", "utf-8"])
def test_utf8(encoding: str) -> None:
    """Unsupported encodings fall back to UTF-8."""
    assert ("é".encode(), "utf-8") == encode_as("é", encoding)
