"""Parsing of dates in all formats, and rejection of ambiguous ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.analysis.metadata.dates import (
    MONTH_OF,
    commonest_date,
    date_in_url,
    day_of,
    find_date,
    is_month,
    read_date,
)

# A value, the page's language, and what it must be read as.
READ = (
    ("2024-05-03", None, "2024-05-03"),
    ("2024-5-3", None, "2024-05-03"),
    ("2024-05-03T10:20:30Z", None, "2024-05-03T10:20:30+00:00"),
    ("2024-05-03T10:20:30.5-05:00", None, "2024-05-03T10:20:30.500000-05:00"),
    ("2024-05-03T10:20:30+0530", None, "2024-05-03T10:20:30+05:30"),
    ("2024-05-03T10:20+02", None, "2024-05-03T10:20:00+02:00"),
    ("2024-05-03 10:20:30 UTC", None, "2024-05-03T10:20:30+00:00"),
    ("2024-05-03 10:20", None, "2024-05-03T10:20:00"),
    ("2024-05-03T25:20:30Z", None, "2024-05-03"),
    ("2024-05-03T24:00:00Z", None, "2024-05-03"),
    ("2024-05-03T10:20:30.250Z", None, "2024-05-03T10:20:30.250000+00:00"),
    ("2024-05-03T10:20:30-00:00", None, "2024-05-03T10:20:30+00:00"),
    ("2024-05-03T10:20:30+99:00", None, "2024-05-03"),
    ("20240503", None, "2024-05-03"),
    ("20240503T102030Z", None, "2024-05-03T10:20:30+00:00"),
    ("202405031020", None, "2024-05-03T10:20:00"),
    ("1714731630", None, "2024-05-03T10:20:30+00:00"),
    ("1714731630000", None, "2024-05-03T10:20:30+00:00"),
    ("Fri, 03 May 2024 10:20:30 GMT", None, "2024-05-03T10:20:30+00:00"),
    ("Fri, 03 May 2024 10:20:30 -0500", None, "2024-05-03T10:20:30-05:00"),
    ("2024/05/03", None, "2024-05-03"),
    ("2024. 5. 3.", "ko", "2024-05-03"),
    ("2024年5月3日", "zh", "2024-05-03"),
    ("2024년 5월 3일", "ko", "2024-05-03"),
    ("May 3, 2024", None, "2024-05-03"),
    ("Updated: Sept. 3rd, 2024 at 5 p.m.", None, "2024-09-03"),
    ("3rd of May 2024", None, "2024-05-03"),
    ("3-May-2024", None, "2024-05-03"),
    ("Freitag, 3. Mai 2024, 10:20 Uhr", None, "2024-05-03T10:20:00"),
    ("May 3, 2024 at 5:07 p.m. PDT", None, "2024-05-03T17:07:00-07:00"),
    ("May 3, 2024, 12:07 AM", None, "2024-05-03T00:07:00"),
    ("May 3, 2024 13:07 pm", None, "2024-05-03"),
    ("03 May 2024 | 10:20 GMT", None, "2024-05-03T10:20:00+00:00"),
    ("3 mai 2024 à 14h05", None, "2024-05-03T14:05:00"),
    ("May 3, 2024 3.50 Euro", None, "2024-05-03"),
    ("May 3, 2024 10:20 IST", None, "2024-05-03T10:20:00"),
    ("03 مايو 2024 - 01:09 م", None, "2024-05-03T13:09:00"),
    ("3 अगस्त 2024", None, "2024-08-03"),
    ("3 d’abril de 2024", "ca", "2024-04-03"),
    ("ngày 3 tháng 5 năm 2024", None, "2024-05-03"),
    ("03.05.24", "de", "2024-05-03"),
    ("03.05.97", "de", "1997-05-03"),
    ("3 février 2024", None, "2024-02-03"),
    ("3 de mayo de 2024", None, "2024-05-03"),
    ("3 maggio 2024", None, "2024-05-03"),
    ("3 de março de 2024", None, "2024-03-03"),
    ("3 maja 2024", None, "2024-05-03"),
    ("3. května 2024", None, "2024-05-03"),
    ("3 мая 2024 г.", None, "2024-05-03"),
    ("3 Mayıs 2024", None, "2024-05-03"),
    ("2024. május 3.", None, "2024-05-03"),
    ("3 Μαΐου 2024", None, "2024-05-03"),
    ("25/12/2024", None, "2024-12-25"),
    ("12/25/2024", None, "2024-12-25"),
    ("05/05/2024", None, "2024-05-05"),
    ("03/05/2024", "en-US", "2024-03-05"),
    ("03/05/2024", "en-GB", "2024-05-03"),
    ("03/05/2024", "fr", "2024-05-03"),
    ("03-05-2024", "nl-NL", "2024-05-03"),
    ("3.5.2024", None, "2024-05-03"),
    ("03.05.2024", "de", "2024-05-03"),
)

# Values that are no date, or could be two.
REFUSED = (
    ("", None),
    ("today", None),
    ("03/05/2024", None),
    ("03/05/2024", "en"),
    ("3.5.2024", "en"),
    ("2024", None),
    ("May 2024", None),
    ("2024-02-30", None),
    ("31/02/2024", None),
    ("1.2.24", "de"),
    ("version 10.24.12.1", "de"),
    ("03.05.24", "en"),
    ("1989-12-31", None),
    ("2101-01-01", None),
    ("Fri, 99 May 2024 10:20:30 GMT", None),
    ("99999999", None),
    ("9999999999", None),
    ("Brumaire 3, 2024", None),
    ("1.2.3.2024", "de"),
    ("x" * 400 + " 2024-05-03", None),
)


@pytest.mark.parametrize(("text", "language", "expected"), READ)
def test_read_date_when_there_is_one_way_to_read_it(
    text: str, language: str | None, expected: str
) -> None:
    """Every common spelling is read, as exactly as it is given."""
    assert expected == read_date(text, language)


@pytest.mark.parametrize(("text", "language"), REFUSED)
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
    ],
)
def test_date_in_url_when_it_is_whole(url: str, expected: str | None) -> None:
    """Only a whole date in one notation counts."""
    assert expected == date_in_url(url)


def test_day_of_when_there_is_a_time_cuts_it() -> None:
    """Two times of a day have the same day."""
    assert "2024-05-03" == day_of("2024-05-03T10:20:30+00:00")


@pytest.mark.parametrize(("word", "expected"), [("Sept.", True), ("MAI", True), ("Maida", False)])
def test_is_month_when_a_name_could_be_one(word: str, expected: bool) -> None:
    """Short forms and capitals are months too."""
    assert expected is is_month(word)


@given(
    st.text(alphabet="0123456789 :.,-/TZ+年月日Mayd", max_size=40), st.sampled_from(["en-US", "de"])
)
def test_read_date_never_fails(text: str, language: str) -> None:
    """Any text must give None or a date that begins with a valid day."""
    found = read_date(text, language)
    assert found is None or read_date(day_of(found)) == day_of(found)


def test_date_in_url_when_the_folder_confirms_a_short_year() -> None:
    """Two digits of a year count only behind a folder of that year and month."""
    assert "2015-08-03" == date_in_url("https://example.org/2015/08/150803-rye")
    assert date_in_url("https://example.org/2015/08/140803-rye") is None


def test_commonest_date_takes_the_first_of_equals() -> None:
    """The date that is named most often wins; what is no day of the calendar does not."""
    assert "2024-05-03" == commonest_date("/2024/05/02/ /2024/05/03/ '2024-05-03' /2024/05/03/")
    assert "2024-05-04" == commonest_date("/2024/05/04/ /2024/05/05/")
    assert "2024-05-04" == commonest_date("2024-02-30 2024-02-30 2024-05-04")
    assert commonest_date("2024/05-04 1.2024-05-04") is None


@given(st.text(max_size=100))
def test_find_date_never_fails(text: str) -> None:
    """A date found in any text must be one that read_date() accepts."""
    found = find_date(text)
    assert found is None or found == read_date(found)


def test_months_have_names_in_many_languages() -> None:
    """Each of the twelve has a score of names, in lower case as they are looked up."""
    for month in range(1, 13):
        assert len([name for name, number in MONTH_OF.items() if number == month]) >= 20
    assert all(name == name.lower() for name in MONTH_OF)
    assert (3, 10, 12) == (MONTH_OF["märz"], MONTH_OF["октября"], MONTH_OF["december"])
