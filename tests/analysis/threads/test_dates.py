"""Dates on a page."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.analysis.threads import PostDate
from thresher.analysis.threads.evidence import find_dates, find_years, settle_order
from thresher.analysis.threads.hints import MarkupHints
from thresher.page.parse import parse


def moments(html: str, language: str | None = None) -> list[tuple[str | None, str]]:
    """Return the dates of a page, in order."""
    found = find_dates(MarkupHints(parse(html)), language)
    return [(moment.iso, moment.raw) for moment in found.values()]


@pytest.mark.parametrize(
    ("html", "iso", "raw"),
    [
        ("<time datetime='2021-03-04T08:00:00Z'>then</time>", "2021-03-04T08:00:00+00:00", "then"),
        ("<span title='2021-03-04 08:00'>an hour ago</span>", "2021-03-04T08:00:00", "an hour ago"),
        ("<b class=post-date>4 March 2021</b>", "2021-03-04", "4 March 2021"),
        ("<b>on 4 March 2021</b>", "2021-03-04", "on 4 March 2021"),
        ("<p>Posted <b>4</b> March 2021</p>", "2021-03-04", "Posted 4 March 2021"),
        ("<span class=age>3 hours ago</span>", None, "3 hours ago"),
        ("<span class=date>03/04/2021</span>", None, "03/04/2021"),
    ],
)
def test_date_is_found_however_it_is_said(html: str, iso: str | None, raw: str) -> None:
    """Attributes, marked elements and short texts must all be read."""
    assert [(iso, raw)] == moments(html)


def test_innermost_element_says_the_date() -> None:
    """An element around a date is not a second one."""
    html = "<p class=date>Posted <time datetime=2021-03-04>4 March 2021</time></p>"
    assert [("2021-03-04", "4 March 2021")] == moments(html)


def test_no_date_is_read_out_of_prose() -> None:
    """A date in a sentence is not that of the post."""
    words = "and then the wheel of the mill stood still again "
    assert [] == moments(f"<p>{words} on 4 March 2021 {words}</p>")


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        (["01/02/2021", "13/02/2021"], "en-gb"),
        (["01/02/2021", "02/13/2021"], "en-us"),
        (["01/02/2021", "01/02/2021"], None),
        (["11/01/2021", "01/02/2021"], "en-gb"),
    ],
)
def test_order_of_day_and_month_is_settled_by_the_others(
    texts: list[str], language: str | None
) -> None:
    """One unambiguous date decides for all; else the chronological order of posts does."""
    assert language == settle_order([PostDate(None, text) for text in texts])


@given(st.lists(st.text("0129٣é. ", max_size=9), max_size=6), st.integers(1, 9))
def test_texts_with_years_are_those_of_the_definition(texts: list[str], max_chars: int) -> None:
    """The compiled step finds the same texts, with digits of any script and years across texts."""
    ends = np.cumsum([0, *map(len, texts)]).astype(np.int32)
    utf8 = np.frombuffer("".join(texts).encode(), np.uint8)
    arguments = utf8, ends[:-1], ends[1:], np.diff(ends), max_chars
    assert find_years.definition(*arguments).tolist() == find_years(*arguments).tolist()


def test_only_short_texts_with_years_are_found() -> None:
    """A year may go on in the next text, and it is found where it begins."""
    texts = ["é in 2019", "20", "24", "long, 1999", "1989", "2050"]
    ends = np.cumsum([0, *map(len, texts)]).astype(np.int32)
    utf8 = np.frombuffer("".join(texts).encode(), np.uint8)
    assert [0, 1] == find_years(utf8, ends[:-1], ends[1:], np.diff(ends), 9).tolist()
