"""Refinement of values with evidence near the headline."""

from __future__ import annotations

import pytest

from thresher.analysis.metadata.build import narrow_authors, refine_date, same_day, some_in_common
from thresher.analysis.metadata.evidence import PageEvidence
from thresher.page.parse import parse

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
