"""Pages saved as MHTML."""

from __future__ import annotations

import base64

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


def test_archive_is_extracted_like_its_page() -> None:
    """Links are resolved against the address that the browser noted, unless one is given."""
    document = extract(mhtml(PAGE, charset="windows-1252"), method="keep_all")
    assert "Die Mühle am Fluss" in document.text
    assert "https://mill.example/1" == document.page.url
    assert 'href="https://mill.example/x"' in document.html
    given = extract(mhtml(PAGE), url="https://oven.example/", method="keep_all")
    assert "https://oven.example/" == given.page.url


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
