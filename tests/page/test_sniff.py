"""Inputs that refuse_non_html() must reject, with their messages, and inputs it must accept."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import random
import re
import zipfile

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thresher.errors import InputError
from thresher.page.sniff import find_utf16_order, refuse_non_html


def make_zip(name: str, content: str = "x") -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(name, content)
    return held.getvalue()


# The first bytes of a real file of the kind, and a word its message must hold.
BINARY = (
    (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "PDF"),
    (b"\xef\xbb\xbf\r\n %PDF-1.4", "PDF"),
    (b"{\\rtf1\\ansi hello}", "RTF"),
    (b"%!PS-Adobe-3.0\n", "PostScript"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "Microsoft Office"),
    (b"WARC/1.1\r\nWARC-Type: warcinfo\r\n", "WARC"),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG"),
    (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "JPEG"),
    (b"GIF87a\x01\0\x01\0", "GIF"),
    (b"GIF89a\x01\0\x01\0", "GIF"),
    (b"RIFF\x24\0\0\0WEBPVP8 ", "WebP"),
    (b"\0\0\0\x1cftypavif\0\0\0\0", "AVIF"),
    (b"\0\0\0\x18ftypheic\0\0\0\0", "HEIC"),
    (b"\0\0\1\0\1\0\x10\x10\0\0", "ICO"),
    (b"\0\0\0\x18ftypmp42\0\0\0\0", "MP4"),
    (b"\0\0\0\x20ftypisom\0\0\2\0", "MP4"),
    (b"\0\0\0\x14ftypqt  \0\0\0\0", "QuickTime"),
    (b"\x1aE\xdf\xa3\x9fB\x86\x81\x01", "WebM"),
    (b"OggS\0\2\0\0\0\0", "Ogg"),
    (b"ID3\3\0\0\0\0\0\x21", "MP3"),
    (b"\xff\xfb\x90\x64\0\0", "MP3"),
    (b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0", "WAVE"),
    (gzip.compress(b"<p>hello", mtime=0), "gzip"),
    (make_zip("page.html"), "ZIP"),
    (make_zip("[Content_Types].xml"), "DOCX"),
    (make_zip("mimetype", "application/epub+zip"), "EPUB"),
    (b"BZh91AY&SY\x19\x31", "bzip2"),
    (lzma.compress(b"<p>hello"), "xz"),
    (b"\x28\xb5\x2f\xfd\x04\x58", "Zstandard"),
    (b"7z\xbc\xaf\x27\x1c\0\4", "7-Zip"),
    (b"Rar!\x1a\x07\x01\0", "RAR"),
    (b"file.txt".ljust(257, b"\0") + b"ustar\x0000", "tar"),
    (b"\x7fELF\2\1\1\0", "ELF"),
    (b"MZ\x90\0\3\0\0\0", "Windows program"),
    (b"wOFF\0\1\0\0", "WOFF"),
    (b"wOF2\0\1\0\0", "WOFF2"),
    (b"OTTO\0\x0b\0\x80", "OpenType"),
    (b"\0\1\0\0\0\x0f\0\x80", "TrueType"),
    (b"SQLite format 3\0\x10\0", "SQLite"),
    (bytes(range(256)) * 4, "unknown kind"),
    (random.Random(1).randbytes(5000), "unknown kind"),
    (b"<" + b"\0\1\2\3x" * 50, "unknown kind"),
)
PAGE = "<!doctype html><html><head><title>Ελλάδα</title></head><body><p>日本 ok</p></body></html>"
# What parses as HTML, or may.
READABLE = (
    PAGE,
    "just a line of text",
    "x",
    "<?xml version='1.0'?><rss version='2.0'><channel><title>A feed</title></channel></rss>",
    "<feed xmlns='http://www.w3.org/2005/Atom'></feed>",
    "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "<p>%PDF-1.7 is how a PDF file begins",
    "ID3 tags hold the title of a song",
    "OTTO is a name",
    "MZ is how a Windows program begins",
    "Rar! is no word",
    "RIFF is a container format",
    "PK is a pair of letters",
    "[a note in square brackets]",
    "{ not json }",
    "[1, 2, 3] and some more [4]",
    '{"a": 1} <p>text after it',
    "[" * 50 + " not closed in kind }",
    "<p>\0a\0b\0c\0d\0e</p>" + "text " * 20,
    "a\0b\x01c",
    "\x1b$B$3\x1b(B" * 20,
    "日本語の文章です",
)
JSON = (
    "{}",
    "[]",
    ' \n{"a": [1, 2.5, null, "x < y"]}\n ',
    '["<p>html in a string</p>"]',
    '[{"naïve": "日本 \\u65e5 𠮷"}]',
    "[" + "9" * 10_000 + "]",
    '{"n": -' + "1" * 6_000 + "}",
    "[" * 200_000 + "]" * 200_000,
    '{"a":' * 100_000 + "1" + "}" * 100_000,
)


@pytest.mark.parametrize(("data", "word"), BINARY)
def test_binary_is_refused(data: bytes, word: str) -> None:
    """Each format is named in a sentence that says it is not HTML, as bytes and as Latin-1."""
    for given_as in (data, data.decode("latin-1").removeprefix("ï»¿")):
        with pytest.raises(InputError, match=r"^This is .*not HTML: .*\.$") as caught:
            refuse_non_html(given_as)
        assert re.search(word, str(caught.value))


@pytest.mark.parametrize(
    "data",
    [b"", "", b" \r\n\t\f", " \n\u3000\xa0", b"\xef\xbb\xbf", "\ufeff\n", b"\0\0\0", b" " * 9999,
     "\ufeff \n \n".encode("utf-16-le"), "\ufeff \n".encode("utf-16-be"), b"\n" * 5000 + b"\0"],
)  # fmt: skip
def test_input_is_refused_when_blank(data: bytes | str) -> None:
    """Nothing, or nothing but white space and marks, is called empty."""
    with pytest.raises(InputError, match="empty"):
        refuse_non_html(data)


WIDE = "utf-8 utf-8-sig utf-16 utf-16-le utf-16-be utf-32 utf-32-le utf-32-be".split()
LEGACY = ("cp1251", "koi8-r", "shift_jis", "euc_jp", "gbk", "iso2022_jp")
PASSING: dict[str, list[bytes | str]] = {
    "HTML, XML, feeds and plain text": [
        form
        for text in READABLE
        for start in ("", "\ufeff", "\n  ")
        for form in (start + text, (start + text).encode())
    ],
    "the NULs of UTF-16 and UTF-32, with or without a mark": [
        (PAGE * size).encode(codec) for codec in WIDE for size in (1, 300)
    ],
    "bytes above 0x7F": ["Привет, мир. ".encode(codec) * 50 for codec in LEGACY],
    "a page behind any amount of white space": [b"\n" * 10_000 + b"<p>x", "\n" * 10_000 + "x"],
}


@pytest.mark.parametrize("pages", PASSING.values(), ids=PASSING)
def test_text_is_let_through(pages: list[bytes | str]) -> None:
    """Whatever can be read as text is not taken for a binary format."""
    for page in pages:
        refuse_non_html(page)


@pytest.mark.parametrize("text", [*JSON, '{"name": "café"}'], ids=range(len(JSON) + 1))
def test_json_is_refused_when_whole(text: str) -> None:
    """A JSON object or array is refused in any encoding, however deep or large its numbers are."""
    codecs = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32-be")
    forms: list[bytes | str] = [text, *(text.encode(codec) for codec in codecs)]
    for form in (*forms, text.encode("latin-1", "replace")):
        with pytest.raises(InputError, match="JSON"):
            refuse_non_html(form)


@pytest.mark.parametrize(
    ("codec", "order"), [("utf-8", None), ("utf-16-le", "utf-16le"), ("utf-16-be", "utf-16be")]
)
def test_order_is_found_when_utf16(codec: str, order: str | None) -> None:
    """Unmarked UTF-16 must be recognised by its NUL bytes, and NUL bytes alone must not be."""
    assert find_utf16_order(PAGE.encode(codec)) == order
    assert find_utf16_order(b"") is None
    assert find_utf16_order(b"\0" * 100) is None


@given(st.one_of(st.binary(), st.text()))
@example("[\ud800]")
@example(b"{\xff}")
@example(b"[\0\xd8\0]\0\0]")
@example(b"\0[\xd8\0\0]")
def test_only_input_errors_are_raised_when_input_is_arbitrary(data: bytes | str) -> None:
    """Any input must be either accepted or refused with an InputError that has a message."""
    try:
        refuse_non_html(data)
    except InputError as refusal:
        assert str(refusal)


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=50))
def test_markup_is_let_through_when_any_text_is_in_it(text: str) -> None:
    """No text in a page's markup gets the page refused."""
    refuse_non_html(f"<p>{text}</p>")
    refuse_non_html(f"<p>{text}</p>".encode())


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    ).filter(lambda value: isinstance(value, list | dict))
)
def test_json_is_refused_when_any_value_is_written(value: object) -> None:
    """Any list or dict written by json.dumps() must be refused as JSON."""
    with pytest.raises(InputError, match="JSON"):
        refuse_non_html(json.dumps(value))
