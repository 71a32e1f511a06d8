"""Pages saved as MHTML."""

from __future__ import annotations

import base64
import sys

import pytest

from tests.helpers.archives import mhtml
from thresher import extract
from thresher.errors import InputError
from thresher.page.mhtml import unpack_mhtml

PAGE = "<title>Mühle</title><p>Die Mühle am Fluss mahlt den Roggen des Tals. <a href=/x>mehr</a>"


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64", "8bit"])
@pytest.mark.parametrize("charset", ["utf-8", "windows-1252"])
def test_first_part_of_html_is_the_page(encoding: str, charset: str) -> None:
    """Its bytes are decoded, and its charset and address are known."""
    found = unpack_mhtml(mhtml(PAGE, encoding=encoding, charset=charset))
    assert found is not None
    assert PAGE == found.html.decode(charset).rstrip("\r\n")
    assert (charset, "https://mill.example/1") == (found.charset, found.url)


@pytest.mark.parametrize(
    "other",
    [
        b"",
        b"<p>Content-Type: multipart/related",
        b"Note: this is text",
        b"Subject: x\nContent-Type: text/html\n\n<p>mail",
        "Content-Type: multipart/related; boundary=x",
    ],
)
def test_anything_else_is_no_archive(other: bytes | str) -> None:
    """Only bytes that begin with the header fields of such a file are one."""
    assert unpack_mhtml(other) is None


def test_archive_without_a_page_is_refused() -> None:
    """The message says what is missing."""
    picture = base64.b64encode(b"GIF8").decode()
    archive = mhtml(picture, kind="image/gif", encoding="base64")
    with pytest.raises(InputError, match="without a part of type text/html"):
        extract(archive)


def test_nested_parts_are_no_trouble() -> None:
    """An archive of archives, a thousand deep, is read or refused, and nothing worse."""
    inner = "".join(
        f"--b{n}\r\nContent-Type: multipart/related; boundary=b{n + 1}\r\n\r\n" for n in range(3000)
    )
    data = "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b0\r\n\r\n" + inner
    with pytest.raises(InputError):
        extract(data.encode())


@pytest.mark.parametrize("line_end", ["\r\n", "\n"])
def test_page_in_nested_parts_is_found(line_end: str) -> None:
    """Mail programs put the page beside its text, in a part of the archive."""
    lines = [
        *("MIME-Version: 1.0", "Content-Type: multipart/related; boundary=out", "", "preface"),
        *("--out", 'Content-Type: multipart/alternative; boundary="in"', ""),
        *("--in", "Content-Type: text/plain", "", "plain"),
        *("--in", "Content-Type: text/html; charset=utf-8", "", "<p>Roggen", "", "--inside"),
        *("--in--", "--out", "Content-Type: text/html", "", "<p>Hafer", "--out--", ""),
    ]
    found = unpack_mhtml(line_end.join(lines).encode())
    assert found is not None
    assert ["<p>Roggen", "", "--inside"] == found.html.decode().splitlines()


def test_levels_do_not_multiply_with_lines() -> None:
    """Parts in parts are looked at some times at most, whatever number of lines they hold."""
    head = "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b0\r\n\r\n"
    levels = "".join(
        f"--b{n}\r\nContent-Type: multipart/mixed; boundary=b{n + 1}\r\n\r\n" for n in range(200)
    )
    page = "--b200\r\nContent-Type: text/html\r\n\r\n" + "w\n" * 100_000
    with pytest.raises(InputError, match="without a part"):
        unpack_mhtml((head + levels + page).encode())


def test_part_without_an_end_is_read_to_the_end() -> None:
    """An archive that is cut off has what there is of its page."""
    whole = mhtml(PAGE, encoding="8bit")
    found = unpack_mhtml(whole[: whole.index(b"Roggen") + 6])
    assert found is not None
    assert found.html.decode().endswith("mahlt den Roggen")


@pytest.mark.parametrize("sign", ["(", ";", '"', "=?utf-8?Q?", "\\"])
def test_malformed_header_is_refused_or_read(sign: str) -> None:
    """What the standard library makes of a header is never its own error."""
    head = f"Content-Type: multipart/related; boundary=x; y={sign * 1000}\r\n\r\n--x\r\n\r\nw"
    with pytest.raises(InputError):
        unpack_mhtml(head.encode())


@pytest.mark.parametrize(
    "stated", ["=?utf-8?Q?https://mill.example/1?=", "\r\n https://mill.example/1"]
)
def test_address_that_is_folded_or_encoded_is_read(stated: str) -> None:
    """Fields may be continued on the next line, and have encoded words."""
    found = unpack_mhtml(mhtml(PAGE, url=stated))
    assert found is not None
    assert "https://mill.example/1" == found.url


@pytest.mark.parametrize(
    "stated", ["=?utf-8?b?A?=", "=?nosuch?b?AAAA?=", "=?utf-8?q?=80?=", "=?idna?q?xn--?=", "w"]
)
def test_page_whose_address_cannot_be_decoded_has_none(stated: str) -> None:
    """A malformed address takes nothing from the page."""
    found = unpack_mhtml(mhtml(PAGE, url=stated))
    assert found is not None
    assert found.url is None
    assert "Roggen" in found.html.decode()


HEAD = b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n"
FIELDS = {
    "parameters": b"Content-Type: text/plain" + b";" * 8000,
    "named parameters": b"Content-Type: text/plain" + b";a=b" * 1900,
    "numbered parameters": b"Content-Type: a" + b"".join(b";a*%d*=b" % n for n in range(800)),
    "quotes": b"Content-Type: text/plain; a=" + b'"' * 8000,
    "comments": b"Content-Type: " + b"(" * 8000,
    "encoded words": b"Content-Type: " + b"=?utf-8?q?a?= " * 560,
    "folds": b"Content-Type: text/plain;" + b"\r\n a=b;" * 1000,
}


@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS)
def test_header_costs_no_more_than_its_size(field: bytes) -> None:
    """A header of thousands of parameters is looked at as often as a header of one."""
    calls = []

    def count(frame: object, event: str, argument: object) -> None:
        calls.append(event)

    sys.setprofile(count)
    try:
        with pytest.raises(InputError):
            unpack_mhtml(HEAD + b"--b\r\n" + field + b"\r\n\r\nx\r\n--b--")
    finally:
        sys.setprofile(None)
    assert len(calls) < 20 * len(field)


def test_only_encodings_of_browsers_are_undone() -> None:
    """Bytes in an encoding that browsers do not write are the page as they are."""
    found = unpack_mhtml(mhtml("begin 644 a\n#0V%T\n \nend\n", encoding="x-uuencode"))
    assert found is not None
    assert found.html.startswith(b"begin 644 a\n#0V%T")
