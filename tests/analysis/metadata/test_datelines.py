"""Detection of a page's dates of publication and update."""

from __future__ import annotations

import pytest

from thresher.analysis.metadata.shown_facts import (
    find_datelines,
    find_item_dates,
    find_lone_dates,
    find_near_dates,
    find_near_times,
    find_script_dates,
    find_times,
)
from thresher.analysis.metadata.visible import VisibleEvidence
from thresher.page.parse import parse


def show(html: str) -> VisibleEvidence:
    return VisibleEvidence(parse("<h1>Rye is back</h1>" + html))


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
        ("<blockquote><time datetime=2024-05-03></time></blockquote>", []),
        ("<time-ago datetime=2024-05-03>1 year ago</time-ago>", [("2024-05-03", False)]),
        ("<ins datetime=2024-05-03>x</ins>", []),
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
        ("<p class=date title='3 May 2024'>2 hours ago</p>", [("2024-05-03", False)]),
        ("<p class=Article_publishDate>3 May 2024</p>", [("2024-05-03", False)]),
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


@pytest.mark.parametrize(
    ("line", "is_update"),
    [
        ("3 May 2024, updated 4 May 2024", False),
        ("Updated 4 May 2024", True),
        ("4 May 2024 (last update)", True),
    ],
)
def test_find_near_dates_when_a_line_speaks_of_a_change(line: str, is_update: bool) -> None:
    """The first of two dates is the publication's; a lone one is what the word says."""
    (found,) = find_near_dates(show(f"<p>{line}</p>"), None)
    assert is_update == found.is_update


def test_find_near_times_leaves_out_those_far_off() -> None:
    """A time many blocks below is another article's."""
    visible = show(
        "<time datetime=2024-05-03>a</time>" + "<p>x</p>" * 30 + "<time datetime=2024-05-04>"
    )
    assert [("2024-05-03", False)] == list(find_near_times(visible))
    assert 2 == len(list(find_times(visible)))


def test_find_times_anywhere_when_all_is_among_comments() -> None:
    """Parts about something else count only where that is asked for."""
    visible = show("<div class=comments><time datetime=2024-05-03>a</time></div>")
    assert [] == list(find_times(visible))
    assert [("2024-05-03", False)] == list(find_times(visible, anywhere=True))


def test_find_lone_dates_reads_the_whole_page_and_side_matter_last() -> None:
    """Lines far from the headline count, those of side matter after all others."""
    html = "<aside>4 May 2024</aside>" + "<p>x</p>" * 30 + "<p>3 May 2024</p>"
    assert ["2024-05-03", "2024-05-04"] == [each.text for each in find_lone_dates(show(html), None)]


@pytest.mark.parametrize(
    "html",
    [
        """<script>{"datePublished": "2024-05-03"}</script>""",
        """<script>x = {publishedDate:'2024-05-03'}</script>""",
        """<script>"{\\"published_at\\":\\"2024-05-03\\"}"</script>""",
        """<p data-x="{&quot;firstPublished&quot;:&quot;2024-05-03&quot;}">""",
        """<script>{"created_at": "2024-05-03"}</script>""",
    ],
)
def test_find_script_dates(html: str) -> None:
    """Names that say published or created, quoted in any way."""
    assert ["2024-05-03"] == list(find_script_dates(show(html)))


def test_find_script_dates_when_the_name_says_otherwise() -> None:
    """Dates of unpublishing and of updates must not be read as dates of publication."""
    html = """<script>{"unpublished": "2024-05-03", "updated": "2024-05-04"}</script>"""
    assert [] == list(find_script_dates(show(html)))
