"""Texts and the hosts of addresses are read and shown as one line."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.page.attributes import TextSearch
from thresher.support.hosts import ascii_host, host_of, is_address, is_web, readable_host, source_of
from thresher.support.quoting import one_line, quote, read_whole_number, without_controls
from thresher.support.xml import format_attribute, format_text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Körner, 穀物", "Körner, 穀物"),
        ("a\r\nb", "a\\r\\nb"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\udcff.html", "\\udcff.html"),
        ("a\u2028b\u202eb", "a\\u2028b\\u202eb"),
    ],
)
def test_one_line(text: str, line: str) -> None:
    """Nothing that breaks a line or steers a terminal is left, everything readable is."""
    assert line == one_line(text)


def test_quoted_values_are_as_typed() -> None:
    """Quotation marks are plain, and only line breaks and control codes are escaped."""
    assert '"it\'s C:\\Müller"' == quote("it's C:\\Müller")
    assert '"a\\nb"' == quote("a\nb")
    assert f'"{"x" * 120}…"' == quote("x" * 500)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc\r\nd", "a\tb\nc\r\nd"),
        ("a\rb\x00\x1b[0m\x7f", r"a\rb\x00\x1b[0m\x7f"),
        ("\x9b2J\x85\x90", r"\x9b2J\x85\x90"),
        ("\u202eevil\u2066", r"\u202eevil\u2066"),
        ("\u200fشلوم\u200d é 日本", "\u200fشلوم\u200d é 日本"),
    ],
)
def test_controls_are_visible(text: str, shown: str) -> None:
    """Controls and reordering of text are escaped; line breaks, tabs and letters are not."""
    assert shown == without_controls(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12", 12),
        (" 007\n", 7),
        ("0", 0),
        ("0" * 5_000 + "3", 3),
        ("9" * 5_000, 10**18 - 1),
        ("", None),
        ("-1", None),
        ("1.5", None),
        ("²", None),
        ("٣", None),
    ],
)
def test_number_read_when_text_has_ascii_digits_alone(text: str, expected: int | None) -> None:
    """Zeros and white space around it do not count, signs and other digits are none.

    One of thousands of digits is cut, and not refused as by the standard library.
    """
    assert expected == read_whole_number(text)


ANY_TEXT = st.text(st.characters(codec=None) | st.sampled_from("\0\r\n\t\x1f\ufffe\ud800<>&\"'"))


@given(ANY_TEXT, ANY_TEXT)
def test_xml_is_well_formed_when_a_text_is_anything(text: str, value: str) -> None:
    """Readers get back what was spelled, without the characters that XML cannot have."""
    element = ElementTree.fromstring(f"<a{format_attribute('b', value)}>{format_text(text)}</a>")

    def allowed(given: str) -> str:
        return re.sub("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", given)

    assert allowed(text) == (element.text or "")
    assert allowed(value) == element.get("b")


texts = st.lists(st.binary(max_size=6).map(lambda text: text.replace(b"\0", b"a")), max_size=6)
parts = st.lists(st.text("abc-", min_size=1, max_size=3).map(str.encode), max_size=3)


@given(st.lists(st.text("abcABC-", max_size=6).map(str.encode), max_size=6) | texts, parts)
def test_the_same_texts_are_found_as_one_by_one(texts: list[bytes], parts: list[bytes]) -> None:
    """All texts with one of the parts are found, in order, and no others."""
    expected = [i for i, text in enumerate(texts) if any(part in text.lower() for part in parts)]
    assert expected == TextSearch(texts).find(parts)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        (None, ""),
        ("rye.html", ""),
        ("http://[x", ""),
        ("http://[::1]:80/", "::1"),
        ("//A.b/", "a.b"),
        ("https://Mühle.example/", "xn--mhle-0ra.example"),
        ("https://xn--mhle-0ra.example/", "xn--mhle-0ra.example"),
    ],
)
def test_any_address_has_a_host_or_none(url: str | None, host: str) -> None:
    """Text that has no host must give an empty string rather than an error."""
    assert host == host_of(url)


@pytest.mark.parametrize(
    ("host", "is_one"),
    [("127.0.0.1", True), ("::1", True), ("mill.example", False), ("1.2.3", False), ("", False)],
)
def test_addresses_are_told_from_names(host: str, is_one: bool) -> None:
    """IPv4 and IPv6 addresses without brackets must be recognised, and names must not."""
    assert is_one == is_address(host)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("xn--mhle-0ra.example", "mühle.example"),
        ("mill.example", "mill.example"),
        ("xn--\u20ac.example", "xn--\u20ac.example"),
        ("xn--a-.example", "xn--a-.example"),
    ],
)
def test_names_are_shown_as_people_write_them(name: str, shown: str) -> None:
    """In Unicode, unless that is another name."""
    assert shown == readable_host(name)
    assert name == ascii_host(shown) or not name.isascii()


def test_names_without_an_ascii_form_stay() -> None:
    """Only their case changes."""
    assert "ü" * 80 == ascii_host("Ü" * 80)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://mill.example/rye", True),
        ("HTTP://mill.example", True),
        ("rye.html", False),
        ("//mill.example", False),
        ("javascript:alert(1)//http://", False),
        ("", False),
        (None, False),
    ],
)
def test_addresses_of_the_web_can_be_linked(url: str | None, expected: bool) -> None:
    """Only addresses of HTTP lead anywhere safe."""
    assert is_web(url) is expected


def test_one_customer_is_one_source() -> None:
    """An IPv6 network of one customer counts as one; an IPv4 address as itself."""
    assert source_of("2001:db8::1") == source_of("2001:db8::2:1%eth0")
    assert source_of("2001:db8::1") != source_of("2001:db8:0:1::1")
    assert "10.0.0.1" == source_of("10.0.0.1") == source_of("::ffff:10.0.0.1")
