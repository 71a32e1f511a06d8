"""Titles, dates, addresses and licences are read from the texts that state them."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.helpers.data import cases
from thresher.analysis.metadata.dates import (
    MONTH_OF,
    commonest_date,
    date_in_url,
    find_date,
    is_month,
    read_date,
)
from thresher.analysis.metadata.languages import (
    FUNCTION_WORDS,
    guess_language,
    share_function_words,
    shortest_code,
)
from thresher.analysis.metadata.normalise import (
    absolute_url,
    address_key,
    host_of,
    key_of,
    licence_url,
    plain_text,
    shorten,
    split_address,
)
from thresher.analysis.metadata.titles import (
    cut_kicker,
    cut_site_name,
    is_site_name,
    shares_most_words,
)

SITE = frozenset({"thedailysheaf", "dailysheaf"})


@cases(__file__, "cut")
def test_cut_site_name(title: str, headings: list[str], expected: str | None) -> None:
    """The site's name is cut off either end; possible parts of the headline stay."""
    found = cut_site_name(title, SITE, tuple(headings))
    assert found == (found if expected is None else expected)


def test_an_underscore_within_an_identifier_is_no_separator() -> None:
    """The name of the site is cut behind an underscore, and is not looked for in an identifier."""
    assert "thedailysheaf_size_t" == cut_site_name("thedailysheaf_size_t", SITE, ())
    assert "Rye is back" == cut_site_name("Rye is back_DailySheaf", SITE, ())
    for name in (
        "mill::arch::_MM_RYE_SACK",
        "mill::__grind",
        "_MM_RYE_SACK in mill",
        "MM_RYE_ADBD",
    ):
        title = f"Constant {name}" if "::" in name else name
        assert title == cut_site_name(title, SITE, ())
    for bar in ("_", "__", " _ "):
        title = f"黑麦今年终于回来了{bar}DailySheaf"
        assert "黑麦今年终于回来了" == cut_site_name(title, SITE, ())


@pytest.mark.parametrize(
    ("title", "path", "expected"),
    [
        ("Rye is back : farming", "/r/farming/comments/1/rye_is_back/", "Rye is back"),
        ("Rye is back • r/farming", "/r/farming/comments/1/rye_is_back/", "Rye is back"),
        ("Rye is back - Field News", "/field-news/rye-is-back", "Rye is back"),
        ("Rye is back - Farming", "/farming", "Rye is back - Farming"),
        ("Rye is back - Farming", "/old-farming/rye", "Rye is back - Farming"),
    ],
)
def test_cut_section(title: str, path: str, expected: str) -> None:
    """A last piece that names a folder of the page's address is a section, not the headline."""
    assert expected == cut_site_name(title, SITE, (), path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Daily Sheaf", True),
        ("DailySheaf.com", True),
        ("Daily Sheaf News", True),
        ("", True),
        ("Sheaf", False),
        ("Rye is back in the Daily Sheaf's test fields", False),
    ],
)
def test_is_site_name(text: str, expected: bool) -> None:
    """Most of the text is the site's name, or the other way round."""
    assert expected is is_site_name(text, SITE)


@pytest.mark.parametrize(
    ("shown", "stated", "expected"),
    [
        ("Opinion Rye is back", "Rye is back", "Rye is back"),
        ("Opinion: Rye is back", "Rye is back", None),
        ("Rye is back", "Rye is back", None),
        ("Bye is back", "Rye is back", None),
        ("A whole sentence stands before it. Rye is back", "Rye is back", None),
        ("Opinion Rye", "Rye", None),
    ],
)
def test_cut_kicker(shown: str, stated: str, expected: str | None) -> None:
    """Only a word or two before the very headline are a kicker."""
    assert expected == cut_kicker(shown, stated)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Rye is back", "Is rye back? A report", True),
        ("Rye is back", "Privacy settings", False),
        ("黑麦回来了", "农业：黑麦回来了", True),
        ("", "Rye", False),
    ],
)
def test_shares_most_words(one: str, other: str, expected: bool) -> None:
    """Half of the words of the shorter text are enough; order and case do not count."""
    assert expected is shares_most_words(one, other)


@cases(__file__, "read")
def test_read_date_when_there_is_one_way_to_read_it(
    text: str, language: str | None, expected: str
) -> None:
    """Every common spelling is read, as exactly as it is given."""
    assert expected == read_date(text, language)


@cases(__file__, "refused")
def test_read_date_when_it_is_none_or_could_be_two(text: str, language: str | None) -> None:
    """Ambiguous dates are rejected."""
    assert read_date(text, language) is None


def test_find_date_when_it_stands_in_a_byline() -> None:
    """The first date of a short text is found among other words and numbers."""
    assert "2024-05-03" == find_date("By Ada Roth | 12 comments | May 3, 2024 | 4 min")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/2024/05/03/rye", "2024-05-03"),
        ("https://example.org/news/2024-05-03-rye.html", "2024-05-03"),
        ("https://example.org/20240503_rye", "2024-05-03"),
        ("https://example.org/2024/05/rye", None),
        ("https://example.org/2024/13/03", None),
        ("https://example.org/120240503", None),
        ("https://example.org/2024/05-03", None),
        ("https://example.org/2024/02/31/then/2024/05/03", "2024-05-03"),
        ("https://example.org/2015/08/150803-rye", "2015-08-03"),
        ("https://example.org/2015/08/140803-rye", None),
    ],
)
def test_date_in_url_when_it_is_whole(url: str, expected: str | None) -> None:
    """Only a whole date in one notation counts; of a short year if a folder confirms it."""
    assert expected == date_in_url(url)


@given(
    st.text(alphabet="0123456789 :.,-/TZ+年月日Mayd", max_size=40) | st.text(max_size=100),
    st.sampled_from(["en-US", "de"]),
)
def test_read_date_never_fails(text: str, language: str) -> None:
    """Any text must give None or a date that is read as itself."""
    for found in (read_date(text, language), find_date(text)):
        assert found is None or read_date(found) == found


def test_commonest_date_takes_the_first_of_equals() -> None:
    """The date that is named most often wins; what is no day of the calendar does not."""
    assert "2024-05-03" == commonest_date("/2024/05/02/ /2024/05/03/ '2024-05-03' /2024/05/03/")
    assert "2024-05-04" == commonest_date("/2024/05/04/ /2024/05/05/")
    assert "2024-05-04" == commonest_date("2024-02-30 2024-02-30 2024-05-04")
    assert commonest_date("2024/05-04 1.2024-05-04") is None


def test_commonest_date_leaves_out_code() -> None:
    """The version of an interface in an example is no date of the page."""
    code = "/2024-05-03/oats /2024-05-03/rye"
    assert "2024-05-04" == commonest_date(f"<pre>{code}</pre> 2024-05-04", code)
    assert commonest_date(f"<pre>{code}</pre>", code) is None


def test_months_have_names_in_many_languages() -> None:
    """Each of the twelve has a score of names, in lower case as they are looked up."""
    for month in range(1, 13):
        assert len([name for name, number in MONTH_OF.items() if number == month]) >= 20
    assert all(name == name.lower() for name in MONTH_OF)
    assert (3, 10, 12) == (MONTH_OF["märz"], MONTH_OF["октября"], MONTH_OF["december"])
    assert [True, True, False] == [is_month(word) for word in ("Sept.", "MAI", "Maida")]


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
        ("Rye &amp;mdash; back", "Rye — back"),
        ("What &amp;lt;b> is", "What &lt;b> is"),
        ("", ""),
    ],
)
def test_plain_text(text: str, expected: str) -> None:
    """Entities, tags of editors, odd spaces and invisible characters are gone."""
    assert expected == plain_text(text)


@pytest.mark.parametrize(
    ("text", "expected"), [("Rye is back", "Rye is…"), ("Rye", "Rye"), ("Roggenernte", "Roggene…")]
)
def test_shorten_when_longer_than_eight_characters(text: str, expected: str) -> None:
    """Text is cut between words where it can be, and never longer than asked."""
    assert expected == shorten(text, 8)


def test_key_of_when_case_and_signs_differ_is_equal() -> None:
    """Only letters and digits count."""
    assert key_of("Rye — is BACK!") == key_of("‘rye’ is back")


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


def test_guess_language_of_words_alone() -> None:
    """Plain sentences are recognised; digits and symbols have no language."""
    assert ["zh", None] == [guess_language(text)[0] for text in ("农民在下雨前打谷", "2024 – 05")]


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
