"""Normalisation and comparison of short texts, addresses and codes of languages."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher.analysis.metadata.languages import FUNCTION_WORDS, share_function_words, shortest_code
from thresher.analysis.metadata.normalise import (
    absolute_url,
    address_key,
    host_of,
    key_of,
    licence_url,
    plain_text,
    shorten,
    split_address,
    words_of,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Rye \n and\toats ", "Rye and oats"),
        ("Rye &amp; oats", "Rye & oats"),
        ("Rye &#8217;n&#x2019; oats", "Rye ’n’ oats"),
        ("R&D &copy 2024", "R&D &copy 2024"),
        ("<em>Rye</em> is <b class='x'>back</b>", "Rye is back"),
        ("How to use <dialog>", "How to use <dialog>"),
        ("a < b and c > d", "a < b and c > d"),
        ("Dresch\u00adma\u200bschine\u202e", "Dreschmaschine"),
        ("\x00\x07Rye", "Rye"),
        ("&#0;&#xFFFFFF;", "\ufffd\ufffd"),
        ("", ""),
    ],
)
def test_plain_text(text: str, expected: str) -> None:
    """Entities, tags of editors, odd spaces and invisible characters are gone."""
    assert expected == plain_text(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Rye is back", "Rye is…"), ("Rye", "Rye"), ("Roggenernte", "Roggene…")],
)
def test_shorten_when_longer_than_eight_characters(text: str, expected: str) -> None:
    """Text is cut between words where it can be, and never longer than asked."""
    assert expected == shorten(text, 8)


def test_key_of_when_case_and_signs_differ_is_equal() -> None:
    """Only letters and digits count."""
    assert key_of("Rye — is BACK!") == key_of("‘rye’ is back")


def test_words_of_splits_a_table() -> None:
    """A table in text is a set of its words."""
    assert frozenset({"a", "b"}) == words_of("a\n  b a")


BASE = "https://example.org/news/rye"


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("/a", "https://example.org/a"),
        ("a?b=c#d", "https://example.org/news/a?b=c#d"),
        ("//example.com/a", "https://example.com/a"),
        (" http://example.com/a ", "http://example.com/a"),
        ("/a?b=1&amp;copy=2", "https://example.org/a?b=1&copy=2"),
        ("/a b", "https://example.org/a%20b"),
        ("/a%20b", "https://example.org/a%20b"),
        ("/ü", "https://example.org/ü"),
        ("", None),
        ("javascript:alert(1)", None),
        ("data:image/png;base64,AA", None),
        ("mailto:a@example.org", None),
        ("ftp://example.org/a", None),
        ("http://[::1", None),
        ("/" + "a" * 3000, None),
    ],
)
def test_absolute_url(href: str, expected: str | None) -> None:
    """An address is http or https, with a host, and written so that it can be sent."""
    assert expected == absolute_url(href, BASE)


def test_absolute_url_when_there_is_no_base_refuses_relative_ones() -> None:
    """Without a base only whole addresses are known."""
    assert absolute_url("/a", None) is None


@pytest.mark.parametrize(
    "url", ["http://www.example.org/A/", "https://example.org/a?x=1", "https://example.org/a#b"]
)
def test_address_key_when_one_page_is_spelled_differently(url: str) -> None:
    """Scheme, www, case, query and a slash at the end make no other page."""
    assert "example.org/a" == address_key(url)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "https://creativecommons.org/licenses/by/4.0/",
            "https://creativecommons.org/licenses/by/4.0/",
        ),
        ("/licence", "https://example.org/licence"),
        ("© 2024 CC BY-SA 3.0", "https://creativecommons.org/licenses/by-sa/3.0/"),
        ("Creative Commons BY-NC-ND", "https://creativecommons.org/licenses/by-nc-nd/4.0/"),
        ("CC0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("All rights reserved", None),
        ("", None),
    ],
)
def test_licence_url(text: str, expected: str | None) -> None:
    """A licence is an address, or a name of Creative Commons; a notice is none."""
    assert expected == licence_url(text, BASE)


@given(st.text(max_size=60))
def test_absolute_url_never_fails(text: str) -> None:
    """Any text must give None or an address without spaces."""
    for found in (absolute_url(text, BASE), absolute_url(f"https://{text}", None)):
        assert found is None or (found.startswith("http") and not set(found) & set(" \n\t<>"))
    address_key(text)


@pytest.mark.parametrize("url", ["http://[", "http://a]/b", None, ""])
def test_split_address_when_it_cannot_be_read(url: str | None) -> None:
    """An unreadable address has no parts, and the page's title is read without it."""
    assert split_address(url).path == ""
    title = thresher.extract("<title>Rye is back | News</title><p>Rye.", url=url).metadata.title
    assert title
    assert title.value == "Rye is back"


@pytest.mark.parametrize(
    "place",
    ["Example.ORG", "ada:rye@Example.org", "example.org:80", "[::1]:80", "[fe80::1%Eth0]", ""],
)
def test_host_of_is_that_of_the_standard_library(place: str) -> None:
    """The host alone, in lower case, whatever is before and after it."""
    parts = split_address(f"https://{place}/a")
    assert (parts.hostname or "") == host_of(parts)


@pytest.mark.parametrize(("code", "expected"), [("eng", "en"), ("cmn", "zh"), ("tpi", "tpi")])
def test_shortest_code(code: str, expected: str) -> None:
    """Two letters where there are two, else the three."""
    assert expected == shortest_code(code)


def test_function_words_are_of_one_language_each() -> None:
    """A word that two languages have in common tells neither."""
    assert [] == [
        one & other for one, other in combinations(FUNCTION_WORDS.values(), 2) if one & other
    ]


@pytest.mark.parametrize(
    ("text", "code", "expected"),
    [
        ("The rye is in the barn", "en", 3 / 6),
        ("The rye is in the barn", "de", 0),
        ("The rye is in the barn", "tlh", 0),
        ("Der Roggen ist in der Scheune", "de", 3 / 6),
        (" ", "en", 0),
    ],
)
def test_share_function_words(text: str, code: str, expected: float) -> None:
    """Words count whatever their case; languages without a list have none."""
    assert expected == share_function_words(text, code)
