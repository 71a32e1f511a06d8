"""Pages saved as webarchives by Safari."""

from __future__ import annotations

import plistlib
import struct
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.archives import mhtml, webarchive
from thresher import ThresherError, extract
from thresher.deadline import deadline
from thresher.errors import InputError, LimitError
from thresher.page.archives import unpack_archive
from thresher.page.webarchive import unpack_webarchive

PAGE = "<title>Mühle</title><p>Die Mühle am Fluss mahlt den Roggen des Tals. <a href=/x>mehr</a>"
FORMATS = [plistlib.FMT_BINARY, plistlib.FMT_XML]
ARCHIVES: list[Callable[..., bytes]] = [
    *(partial(webarchive, fmt=fmt) for fmt in FORMATS),
    mhtml,
]
WHOLE = [archive(PAGE) for archive in ARCHIVES]


@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize("charset", ["utf-8", "windows-1252", "utf-16"])
def test_main_resource_is_the_page(fmt: plistlib.PlistFormat, charset: str) -> None:
    """Its bytes, its charset and its address are known; its frames are left out."""
    found = unpack_webarchive(webarchive(PAGE, charset=charset, fmt=fmt))
    assert found is not None
    assert PAGE == found.html.decode(charset)
    assert (charset, "https://mill.example/1") == (found.charset, found.url)


@pytest.mark.parametrize("archive", ARCHIVES)
def test_archive_is_extracted_like_its_page(archive: Callable[..., bytes]) -> None:
    """Links are resolved against the address that the browser noted, unless one is given."""
    document = extract(archive(PAGE, charset="windows-1252"), method="keep_all")
    assert "Die Mühle am Fluss" in document.text
    assert "oats" not in document.text
    assert 'href="https://mill.example/x"' in document.html
    assert "https://mill.example/1" == document.page.url
    given = extract(archive(PAGE), url="https://oven.example/", method="keep_all")
    assert "https://oven.example/" == given.page.url


@pytest.mark.parametrize("text", ["Ü\N{GRINNING FACE}", "a" * 300])
def test_texts_of_any_kind_are_read(text: str) -> None:
    """Addresses are stored as ASCII or UTF-16, long ones with their size as a number."""
    url = f"https://mill.example/{text}"
    found = unpack_webarchive(webarchive(PAGE * 1000, url=url))
    assert found is not None
    assert (PAGE * 1000, url) == (found.html.decode(), found.url)


@pytest.mark.parametrize(
    "other",
    [
        b"",
        "bplist00",
        b"<p>&lt;key>WebMainResource",
        b'<?xml version="1.0"?><plist><dict><key>Name</key><string>x</string></dict></plist>',
        b'<?xml version="1.0"?><html><p>&lt;key&gt;WebMainResource&lt;/key&gt;</html>',
    ],
)
def test_anything_else_is_no_archive(other: bytes | str) -> None:
    """Only a binary property list, or an XML one that names the page, is one."""
    assert unpack_webarchive(other) is None


@pytest.mark.parametrize("whole", [{}, [], {"WebMainResource": 1}, {"WebMainResource": {}}, "x"])
def test_property_list_without_a_page_is_refused(
    whole: dict[str, object] | list[object] | str,
) -> None:
    """The message says that it is a property list."""
    with pytest.raises(InputError, match=r"property list|webarchive"):
        extract(plistlib.dumps(whole, fmt=plistlib.FMT_BINARY))


@pytest.mark.parametrize("fmt", FORMATS)
def test_page_that_is_no_data_is_refused(fmt: plistlib.PlistFormat) -> None:
    """A text where the page's bytes should be is not taken for them."""
    broken = plistlib.dumps({"WebMainResource": {"WebResourceData": "<p>x"}}, fmt=fmt)
    with pytest.raises(InputError):
        extract(broken)


def test_overlapping_objects_take_no_time() -> None:
    """A list whose 100,000 objects are all one array of 100,000 references is refused at once."""
    n = 100_000
    array = b"\xaf\x12" + struct.pack(">I", n) + bytes(3 * n)
    table = 8 + len(array)
    trailer = struct.pack(">6xBBQQQ", 1, 3, n, 0, table)
    with pytest.raises(InputError):
        extract(b"bplist00" + array + b"\x08" * n + trailer)


@pytest.mark.parametrize(
    "size", [b"\x5f\x13" + b"\xff" * 8, b"\x5f\x1f", b"\x5f\x41\x00", b"\xdf\x13" + b"\xff" * 8]
)
def test_size_beyond_the_file_is_refused(size: bytes) -> None:
    """A size is no reason to reserve memory, nor to read elsewhere."""
    trailer = struct.pack(">6xBBQQQ", 1, 1, 1, 0, 8 + len(size))
    with pytest.raises(InputError):
        extract(b"bplist00" + size + b"\x08" + trailer)


def test_deep_and_hostile_xml_is_read_or_refused() -> None:
    """Depth, dates that are none, numbers of any length and entities end in an error of ours."""
    head = b"<?xml version='1.0'?><plist><dict><key>WebMainResource</key>"
    for body in (
        b"<array>" * 100_000,
        b"<date>x</date></dict></plist>",
        b"<integer>" + b"9" * 10_000 + b"</integer></dict></plist>",
        b"<dict></array>",
        b"<data>=</data></dict></plist>",
    ):
        with pytest.raises(InputError):
            extract(head + body)
    entity = b"<?xml version='1.0'?><!DOCTYPE plist [<!ENTITY a 'aa'>]>" + head[21:]
    with pytest.raises(InputError):
        extract(entity + b"<string>&a;</string></dict></plist>")


@pytest.mark.parametrize(
    "markup",
    [
        b"<array " + b"a='' " * 2000 + b"/>",
        b"<!-- " + b"a" * 10_000 + b" -->",
        b"<?a " + b"a" * 10_000 + b"?>",
        b"<![CDATA[a]]>",
    ],
)
def test_xml_that_would_be_read_again_and_again_is_refused(markup: bytes) -> None:
    """Long tags, comments and instructions, which no property list needs, are not parsed."""
    whole = webarchive(PAGE, fmt=plistlib.FMT_XML)
    with pytest.raises(InputError, match="no property list needs"):
        unpack_webarchive(whole.replace(b"</plist>", markup + b"</plist>"))


def test_declared_attributes_are_refused() -> None:
    """Attributes that a list declares would be given to each of its elements."""
    whole = webarchive(PAGE, fmt=plistlib.FMT_XML)
    declared = b"<!DOCTYPE plist [<!ATTLIST string a CDATA 'b'>]>"
    before, _, behind = whole.partition(b"<plist")
    with pytest.raises(InputError, match="no property list needs"):
        unpack_webarchive(before + declared + b"<plist" + behind)


@pytest.mark.parametrize("archive", ARCHIVES[1:])
def test_deadline_holds_while_an_archive_is_read(archive: Callable[..., bytes]) -> None:
    """A long list, or many parts, end at the deadline, with the error of the limit."""
    with deadline(1e-9), pytest.raises(LimitError):
        unpack_archive(archive(PAGE))


@given(
    st.sampled_from(WHOLE),
    st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 255)), max_size=6),
    st.integers(0, 5000),
)
def test_broken_archive_is_a_page_or_our_error(
    whole: bytes, changes: list[tuple[int, int]], stop: int
) -> None:
    """Whatever bytes of an archive are changed or missing, it is read or refused."""
    broken = bytearray(whole)
    for place, byte in changes:
        broken[-1 - place % len(broken)] = byte
    with suppress(ThresherError):
        extract(bytes(broken[: stop or None]), method="keep_all")
