"""Rejection of non-HTML input by its first bytes, with a message that names the format.

Plain text, XML and feeds are accepted, because they parse as HTML; so is anything in doubt.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Final, Literal

from thresher.errors import InputError
from thresher.support.quoting import quote

_UNPACK: Final = "decompress it first"
_OTHER_TOOL: Final = "convert it to HTML with a tool for that format first"
_NO_TEXT: Final = "there is no page text in it"
_UNZIP: Final = f"{_UNPACK} and pass the HTML files in it one by one"
# Offset in bytes, magic bytes, format, advice. The first matching row wins. Images, media, fonts
# and archives are from the WHATWG MIME Sniffing Standard, section 6, the others from the formats'
# own specifications. Magic that is all letters is extended by the bytes that follow it in such
# files, so that plain text does not match.
_MAGIC: Final[tuple[tuple[int, bytes, str, str], ...]] = (
    (0, b"%PDF-", "a PDF document", _OTHER_TOOL),
    (0, b"%!PS-Adobe", "a PostScript document", _OTHER_TOOL),
    (0, b"{\\rtf", "an RTF document", _OTHER_TOOL),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Microsoft Office document", _OTHER_TOOL),
    (0, b"WARC/1.", "a WARC archive of many pages", "pass the HTML of its records one by one"),
    (0, b"\x89PNG\r\n\x1a\n", "a PNG image", _NO_TEXT),
    (0, b"\xff\xd8\xff", "a JPEG image", _NO_TEXT),
    (0, b"GIF8", "a GIF image", _NO_TEXT),
    (8, b"WEBPVP8", "a WebP image", _NO_TEXT),
    (4, b"ftypavi", "an AVIF image", _NO_TEXT),
    (4, b"ftyphei", "a HEIC image", _NO_TEXT),
    (0, b"\0\0\1\0", "an ICO image", _NO_TEXT),
    *((4, b"ftyp" + brand, "an MP4 or QuickTime file (audio or video)", _NO_TEXT)
      for brand in (b"iso", b"mp4", b"avc1", b"dash", b"M4", b"MSNV", b"qt  ", b"3g")),
    (0, b"\x1aE\xdf\xa3", "a WebM or Matroska video", _NO_TEXT),
    (0, b"OggS\0", "an Ogg file (audio or video)", _NO_TEXT),
    (0, b"ID3\3", "an MP3 file (audio)", _NO_TEXT),
    (0, b"ID3\4", "an MP3 file (audio)", _NO_TEXT),
    (0, b"\xff\xfb", "an MP3 file (audio)", _NO_TEXT),
    (8, b"WAVEfmt ", "a WAVE file (audio)", _NO_TEXT),
    (30, b"mimetypeapplication/epub+zip", "an EPUB book (a ZIP archive)", _UNZIP),
    (30, b"[Content_Types].xml", "a DOCX, XLSX or PPTX file (a ZIP archive)", _OTHER_TOOL),
    (0, b"PK\3\4", "a ZIP archive (DOCX, EPUB … files are ZIP archives too)", _UNZIP),
    (0, b"\x1f\x8b\x08", "gzip-compressed data", _UNPACK),
    (4, b"1AY&SY", "bzip2-compressed data", _UNPACK),
    (0, b"\xfd7zXZ\0", "xz-compressed data", _UNPACK),
    (0, b"\x28\xb5\x2f\xfd", "Zstandard-compressed data", _UNPACK),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _UNZIP),
    (0, b"Rar!\x1a\x07", "a RAR archive", _UNZIP),
    (257, b"ustar", "a tar archive", _UNZIP),
    (0, b"\x7fELF", "an ELF program", _NO_TEXT),
    (0, b"MZ\x90\0", "a Windows program", _NO_TEXT),
    (0, b"wOFF", "a WOFF font", _NO_TEXT),
    (0, b"wOF2", "a WOFF2 font", _NO_TEXT),
    (0, b"OTTO\0", "an OpenType font", _NO_TEXT),
    (0, b"\0\1\0\0", "a TrueType font", _NO_TEXT),
    (0, b"SQLite format 3\0", "an SQLite database", _NO_TEXT),
)  # fmt: skip

_MAGIC_AT: Final = {
    offset: tuple(magic for at, magic, *_ in _MAGIC if at == offset)
    for offset in sorted({row[0] for row in _MAGIC})
}

# Bytes, or characters of a str, examined at either end.
_SAMPLE: Final = 4096
_BLANK: Final = b" \t\n\r\f\v\0"
_SKIP: Final = _BLANK + b"\xef\xbb\xbf\xff\xfe"  # and the bytes of the byte-order marks
# WHATWG MIME Sniffing Standard, section 3, "binary data byte".
_BINARY: Final = bytes({*range(0x20)} - {0x09, 0x0A, 0x0C, 0x0D, 0x1B})
# Highest shares of binary data bytes. Compressed data has 27 in 256, text next to none; input that
# starts like markup gets the benefit of the doubt, and a few in a short text are always tolerated.
_MOST_BINARY: Final = 0.05
_MOST_BINARY_IN_MARKUP: Final = 0.30
_DIRT: Final = 4
# UTF-16 is recognised by the NULs of its ASCII markup: a run of four, one per 16-bit unit (as in
# "html", beyond coincidence), and four on one side per one on the other: U+4E00 has a NUL too.
_UTF16_RUN: Final = b"\0" * 4
_UTF16_LEAN: Final = 4


def refuse_non_html(data: bytes | str) -> None:
    """Raise InputError if a page, as bytes or already decoded, is clearly not HTML, text or XML.

    That is if it is empty or blank, a known binary format, a whole JSON document, or bytes with a
    high share of control bytes; the message says which and what to do.
    """
    sample = _get_bytes(data[:_SAMPLE])
    lead = sample.lstrip(_SKIP)
    # For most pages the beginning decides; stripping the whole page would copy it.
    if not (_strip(data[:_SAMPLE]) or _strip(data)):
        raise InputError("The input is empty, or has nothing but white space in it.")
    for offset, magic, name, hint in _MAGIC if _may_be_magic(sample, lead) else ():
        # Readers of PDF and similar formats tolerate blanks before it.
        if sample.startswith(magic, offset) or lead.startswith(magic, offset):
            where = f"{quote(magic.decode('latin-1'))} at byte {offset}"
            raise InputError(f"This is {name} ({where}), not HTML: {hint}.")
    closing = {b"{": b"}", b"[": b"]"}.get(lead[:1])
    if closing and _get_bytes(data[-_SAMPLE:]).rstrip(_BLANK).endswith(closing) and _is_json(data):
        raise InputError("This is a JSON document, not HTML: pass the HTML it may hold in a field.")
    units = _narrow(sample)
    n_control = len(units) - len(units.translate(None, _BINARY))
    most = _MOST_BINARY_IN_MARKUP if lead.startswith(b"<") else _MOST_BINARY
    if n_control > max(_DIRT, most * len(units)):
        share = f"{n_control} control bytes in the first {len(units)}"
        raise InputError(f"This is binary data of an unknown kind ({share}), not HTML: {_NO_TEXT}.")


def _may_be_magic(*samples: bytes) -> bool:
    return any(
        sample.startswith(magics, offset)
        for offset, magics in _MAGIC_AT.items()
        for sample in samples
    )


def _strip(data: bytes | str) -> bytes | str:
    return data.lstrip(_SKIP) if isinstance(data, bytes) else data.strip().strip("\ufeff\0 \n")


def find_utf16_order(data: bytes) -> Literal["utf-16le", "utf-16be"] | None:
    """Detect UTF-16 without a byte-order mark by NULs in its ASCII markup (first 4096 bytes)."""
    if b"\0" not in data[:_SAMPLE]:
        return None
    even, odd = data[:_SAMPLE:2], data[1:_SAMPLE:2]
    on_even, on_odd = even.count(0), odd.count(0)
    if on_odd > _UTF16_LEAN * on_even and _UTF16_RUN in odd:
        return "utf-16le"
    if on_even > _UTF16_LEAN * on_odd and _UTF16_RUN in even:
        return "utf-16be"
    return None


def _get_bytes(data: bytes | str) -> bytes:
    # A str wrongly decoded from one of the formats still contains the ASCII of its magic.
    return data if isinstance(data, bytes) else data.lstrip("\ufeff").encode("latin-1", "replace")


def _narrow(sample: bytes) -> bytes:
    # UTF-16 and UTF-32 to a byte per character, so that the NULs in them do not count as binary.
    if b"\0" in sample:
        for codec in ("utf-32-le", "utf-32-be"):
            with suppress(UnicodeDecodeError):  # strict: anything else fails within a few bytes
                return sample[: len(sample) & ~3].decode(codec).encode("latin-1", "replace")
    marked = {b"\xff\xfe": "utf-16le", b"\xfe\xff": "utf-16be"}.get(sample[:2])
    order = marked or find_utf16_order(sample)
    return sample.decode(order, "replace").encode("latin-1", "replace") if order else sample


def _is_json(data: bytes | str) -> bool:
    if isinstance(data, bytes) and b"\0" not in data[:_SAMPLE]:
        # Only the structure matters here, and in Latin-1 no malformed byte hides it.
        data = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    try:
        # Numbers stay strings: int() rejects one of thousands of digits.
        json.loads(data.strip("\ufeff\0") if isinstance(data, str) else data, parse_int=str)
    except RecursionError:
        return True  # well-formed to the parser's depth limit, unlike any text
    except ValueError:
        return False
    return True
