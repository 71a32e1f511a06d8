"""Which dates of a page are taken for its own, and which for those of a change."""

from __future__ import annotations

import pytest

from thresher.metadata.datelines import (
    find_datelines,
    find_item_dates,
    find_near_dates,
    find_times,
)
from thresher.metadata.signs import Signs
from thresher.parse import parse


def show(html: str) -> Signs:
    return Signs(parse("<h1>Rye is back</h1>" + html))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<time datetime=2024-05-03>yesterday</time>", [("2024-05-03", False)]),
        ("<time>May 3, 2024</time>", [("May 3, 2024", False)]),
        ("<p>Updated: <time datetime=2024-05-03>x</time>", [("2024-05-03", True)]),
        ("<p class=modified><time datetime=2024-05-03></time>", [("2024-05-03", True)]),
        ("<time class=updated datetime=2024-05-03></time>", [("2024-05-03", True)]),
        ("<time itemprop=dateModified datetime=2024-05-03></time>", [("2024-05-03", True)]),
        ("<footer><time datetime=2024-05-03></time></footer>", []),
        (
            "<p>Posted <time datetime=2024-05-03>a</time>, updated <time datetime=2024-05-04>b",
            [("2024-05-03", False), ("2024-05-04", True)],
        ),
    ],
)
def test_find_times(html: str, expected: list[tuple[str, bool]]) -> None:
    """A time's value, nearest first; words and classes around say if it is of a change."""
    assert expected == list(find_times(show(html)))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p class=date>3 May 2024</p>", [("2024-05-03", False)]),
        ("<p class='entry-date published'>3 May 2024</p>", [("2024-05-03", False)]),
        ("<p class=date>Last updated 3 May 2024</p>", [("2024-05-03", True)]),
        ("<p class=update>3 May 2024</p>", []),
        ("<p class=date>soon</p>", []),
        ("<p class=date>3/5/2024</p>", [("2024-05-03", False)]),
    ],
)
def test_find_datelines(html: str, expected: list[tuple[str, bool]]) -> None:
    """A class that says date, and a date in the text, read in the page's language."""
    assert expected == list(find_datelines(show(html), "en-GB"))


def test_find_near_dates_when_a_line_beside_the_headline_has_one() -> None:
    """Only short lines near the headline count."""
    html = f"<p>Ada Roth, 3 May 2024</p><p>{'long ' * 50} 4 May 2024</p>" + "<p>x</p>" * 30
    found = list(find_near_dates(show(html + "<p>5 May 2024</p>"), None))
    assert [("2024-05-03", False)] == found


def test_find_item_dates_when_there_is_no_item_around() -> None:
    """An itemprop counts by content, datetime or text, item or not."""
    html = (
        "<meta itemprop=datePublished content=2024-05-03>"
        "<time itemprop=datePublished datetime=2024-05-04></time>"
        "<p itemprop=datePublished>5 May 2024</p>"
    )
    expected = ["2024-05-03", "2024-05-04", "5 May 2024"]
    assert expected == list(find_item_dates(show(html), "datePublished"))
