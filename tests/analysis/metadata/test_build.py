"""Conversion of raw claims to values, and their refinement."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers.known import known
from thresher.analysis.metadata import build
from thresher.analysis.metadata.build import narrow_authors, refine_date, same_day, some_in_common
from thresher.analysis.metadata.decide import Claim
from thresher.analysis.metadata.evidence import PageEvidence
from thresher.page.parse import parse

EVIDENCE = PageEvidence(
    parse(
        '<html lang=en-GB><meta property="og:site_name" content="The Sheaf">',
        url="https://example.org/news/rye",
    )
)

# A builder, the raw values, the value it must make, and whether that is weak; None for no use.
CASES: tuple[tuple[Any, list[Any], Any, bool], ...] = (
    (build.build_title, ["Rye is back | The Sheaf"], "Rye is back", False),
    (build.build_title, [{"name": "Rye"}], "Rye", False),
    (build.build_title, ["", " ", "Rye &amp; oats"], "Rye & oats", False),
    (build.build_title, ["The Sheaf"], "The Sheaf", True),
    (build.build_title, ["a" * 5000], "a" * 299 + "…", False),
    (build.build_title, [{"x": "y"}, None, 1.5, []], None, False),
    (build.build_authors, ["Ada Roth"], ("Ada Roth",), False),
    (build.build_authors, [{"@type": "Person", "name": "Ada Roth"}], ("Ada Roth",), False),
    (build.build_authors, [{"name": ["Ada Roth", "Tom Beck"]}], ("Ada Roth", "Tom Beck"), False),
    (build.build_authors, [{"givenName": "Ada", "familyName": "Roth"}], ("Ada Roth",), False),
    (build.build_authors, [{"name": {"@value": "Ada Roth"}}], ("Ada Roth",), False),
    (build.build_authors, [{"@type": "Organization", "name": "Roth & Co"}], ("Roth & Co",), True),
    (
        build.build_authors,
        [{"@type": "NewsMediaOrganization", "name": "Wire"}, {"@type": "Person", "name": "Ada"}],
        ("Ada",),
        False,
    ),
    (build.build_authors, ["The Sheaf"], ("The Sheaf",), True),
    (build.build_authors, ["The Sheaf", "Ada Roth"], ("Ada Roth",), False),
    (build.build_authors, ["https://example.org/ada", "ada@example.org"], None, False),
    (build.build_authors, [{"url": "https://example.org/ada"}, None, 7.5], None, False),
    (build.build_date, ["soon", "2024-05-03"], "2024-05-03", False),
    (build.build_date, [{"@value": "2024-05-03"}], "2024-05-03", False),
    (build.build_date, [1714731630], "2024-05-03T10:20:30+00:00", False),
    (build.build_date, ["3/5/2024"], "2024-05-03", False),
    (build.build_date, [2024, True, None], None, False),
    (build.build_site_name, [{"@type": "Organization", "name": "The Sheaf"}], "The Sheaf", False),
    (build.build_site_name, ["@sheaf"], "sheaf", False),
    (build.build_site_name, ["example.org"], "example.org", False),
    (build.build_site_name, ["https://example.org/", "x" * 200], None, False),
    (build.build_description, ["<p>Rye  is back.</p>"], "Rye is back.", False),
    (build.build_description, ["The Sheaf"], "The Sheaf", True),
    (build.build_description, ["rye " * 1000], ("rye " * 249).strip() + "…", False),
    (build.build_language, ["EN_us"], "en-US", False),
    (build.build_language, ["eng"], "en", False),
    (build.build_language, ["utf-8", "us", "euc-kr", "sco"], "sco", False),
    (build.build_language, ["zh-hant-tw"], "zh-Hant-TW", False),
    (build.build_language, ["de-DE-1996"], "de-DE", False),
    (build.build_language, ["en, de"], "en", False),
    (build.build_language, ["en_US.UTF-8"], "en-US", False),
    (build.build_language, [{"@type": "Language", "name": "fr"}], "fr", False),
    (build.build_language, ["English", "und", "-", ""], None, False),
    (build.build_canonical_url, ["/rye"], "https://example.org/rye", False),
    (build.build_canonical_url, [{"@id": "/rye"}], "https://example.org/rye", False),
    (build.build_canonical_url, ["/"], "https://example.org/", True),
    (build.build_canonical_url, ["javascript:x", "#"], "https://example.org/news/rye", False),
    (build.build_canonical_url, ["mailto:x", ""], None, False),
    (
        build.build_image,
        [{"@type": "ImageObject", "url": "/a.jpg"}],
        "https://example.org/a.jpg",
        False,
    ),
    (build.build_image, ["data:image/png;base64,A", "/b.jpg"], "https://example.org/b.jpg", False),
    (build.build_image, ["/site-logo.png"], "https://example.org/site-logo.png", True),
    (build.build_image, [{"width": 5}], None, False),
    (build.build_tags, ["rye, oats;Rye", "#barley"], ("rye", "oats", "barley"), False),
    (build.build_tags, [{"@type": "DefinedTerm", "name": "rye"}], ("rye",), False),
    (build.build_tags, ["黑麦，燕麦、大麦"], ("黑麦", "燕麦", "大麦"), False),
    (build.build_tags, [",", "https://example.org/", "x" * 200], None, False),
    (build.build_licence, ["CC BY 4.0"], "https://creativecommons.org/licenses/by/4.0/", False),
    (build.build_licence, [{"@type": "CreativeWork", "url": "/l"}], "https://example.org/l", False),
    (build.build_licence, ["/a", "/b"], None, False),
    (build.build_licence, ["© The Sheaf"], None, False),
)


@pytest.mark.parametrize(("builder", "values", "expected", "is_weak"), CASES)
def test_build(builder: Any, values: list[Any], expected: Any, is_weak: bool) -> None:
    """Raw values of any shape become the field's value, a weak one, or nothing."""
    found = builder(Claim("test:x", values), EVIDENCE)
    assert (expected, is_weak) == (found.value, found.is_weak) if found else expected is None


def test_build_site_name_when_it_is_only_the_host_is_weak() -> None:
    """The host replaces a missing name without contradicting others."""
    assert known(build.build_site_name(Claim(build.HOST_LABEL, ["example.org"]), EVIDENCE)).is_weak


def test_build_tags_when_there_are_hundreds_keeps_the_first() -> None:
    """The number of tags is limited."""
    found = known(build.build_tags(Claim("x:y", [f"tag {n}" for n in range(500)]), EVIDENCE))
    assert build.MAX_TAGS == len(found.value)


def test_build_authors_when_each_value_is_one_name_turns_it_round() -> None:
    """`citation_author` holds one author each, last name first."""
    found = known(build.build_authors(Claim("meta:citation_author", ["van Roth, Ada"]), EVIDENCE))
    assert ("Ada van Roth",) == found.value


UTC_TIME = "2024-05-04T03:20:30+00:00"
LOCAL_TIME = "2024-05-03T23:20:30-04:00"


def show(html: str, url: str | None = None) -> PageEvidence:
    return PageEvidence(parse(f"<html lang=en-US><h1>Rye is back</h1>{html}", url=url))


@pytest.mark.parametrize(
    ("value", "html", "expected"),
    [
        (
            "2024-05-03",
            "<p>May 3, 2024, 11:20 PM EDT",
            ("2024-05-03T23:20:00-04:00", "page:near-h1"),
        ),
        ("2024-05-03", "<time datetime=2024-05-03T10:20>", ("2024-05-03T10:20:00", "page:time")),
        ("2024-05-03", "<p>May 4, 2024, 11:20 PM", None),
        ("2024-05-03", "<p>May 3, 2024", None),
        (UTC_TIME, "<p>May 3, 2024, 11:20 PM EDT", (LOCAL_TIME, "page:near-h1")),
        (UTC_TIME, "<p>May 3, 2024, 11:20 PM", (LOCAL_TIME, "page:near-h1")),
        (UTC_TIME, "<p>Updated May 3, 2024, 11:20 PM", None),
        (UTC_TIME, "<p>May 3, 2024, 11:27 PM", None),
        (UTC_TIME, "<p>May 9, 2024, 11:20 PM", None),
        (UTC_TIME, "<time datetime=2024-05-03T23:20:30-04:00>", (LOCAL_TIME, "page:time")),
        (UTC_TIME, "<p>May 4, 2024, 3:20 AM GMT", None),
        (LOCAL_TIME, "<p>May 3, 2024, 8:20 PM PDT", None),
    ],
)
def test_refine_date(value: str, html: str, expected: tuple[str, str] | None) -> None:
    """A day gains its time, a time in UTC its zone; nothing else changes."""
    assert expected == refine_date(value, show(html))


def test_refine_date_when_only_the_day_is_shown_takes_the_zone_of_other_times() -> None:
    """The address tells the day, and another time on the page what zone the site is in."""
    page = show(
        "<script>'2024-05-03T20:00:00-04:00'</script>", "https://example.org/2024/05/03/rye"
    )
    assert (LOCAL_TIME, "url:date") == refine_date(UTC_TIME, page)
    other = show(
        "<script>'2024-05-03T20:00:00+02:00'</script>", "https://example.org/2024/05/03/rye"
    )
    assert refine_date(UTC_TIME, other) is None


def test_authors_when_they_are_the_site_are_its_whole_name() -> None:
    """Nothing is cut off, as an employer behind a person's name is."""
    evidence = PageEvidence(parse("<meta property='og:site_name' content='Bread of Rye'>"))
    claim = Claim("meta:author", ["Bread of Rye"])
    assert (("Bread of Rye",), True) == build.build_authors(claim, evidence)


def test_narrow_authors_leaves_those_who_sign_beside_the_headline() -> None:
    """Stated authors missing from the byline must go, unless the byline has an unstated name."""
    names = ("Ada Roth", "Tom Beck")
    assert (("Ada Roth",), "page:near-h1") == narrow_authors(names, show("<p>By Ada Roth"))
    assert narrow_authors(names, show("<p>By Ada Roth and Tom Beck")) is None
    assert narrow_authors(names, show("<p>By Ada Roth and Li Wei")) is None
    assert narrow_authors(names, show("<p>x")) is None
    assert narrow_authors(names[:1], show("<p>By Tom Beck")) is None


def test_same_day_when_a_zone_is_unknown() -> None:
    """A time in UTC agrees with the day before and after; a day does not."""
    assert same_day(UTC_TIME, "2024-05-03")
    assert same_day("2024-05-03", LOCAL_TIME)
    assert not same_day("2024-05-03", "2024-05-04")
    assert not same_day(UTC_TIME, "2024-05-02")


def test_some_in_common() -> None:
    """One shared name is enough, whatever its case."""
    assert some_in_common(("Ada Roth", "Tom Beck"), ("ADA ROTH",))
    assert not some_in_common(("Ada Roth",), ("Tom Beck",))
