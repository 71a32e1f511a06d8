"""Counts and texts by which obstacles are detected."""

from __future__ import annotations

import pytest

from thresher.analysis.obstacles.page_signals import (
    FoundMark,
    Mark,
    PageSignals,
    format_count,
    word,
)
from thresher.page.parse import parse

HTML = """
<title>The
 mill</title><h1>Rye <b>and</b> oats</h1><p>nine villages <a href=/>and a link</a><br>second line
<noscript>turn <a>scripts</a> on</noscript><video>no films here</video>
<template>held in a template</template><img src=a><noscript><img src=b></noscript>
<p hidden>hidden all the same</p><svg><title>wheel</title></svg><script src=c></script>
"""


def look(html: str) -> PageSignals:
    return PageSignals(parse(html))


def test_words_and_pictures_counted_by_where_they_are() -> None:
    """What is shown, or outside links, and what browsers with scripts do not show."""
    signals = look(HTML)
    assert (14, 11, 9) == (signals.shown_words, signals.plain_words, signals.spare_words)
    assert (3, 4) == (signals.noscript_words, signals.longest_block_words)
    assert (1, 1) == (signals.pictures, signals.scripts)


def test_title_is_the_page_s_own() -> None:
    """The first title outside drawings, on one line; none where there is none."""
    assert "The mill" == look(HTML).title
    assert "" == look("<svg><title>wheel</title></svg>").title


def test_headings_and_lines_are_the_first() -> None:
    """Upper headings are read whole, lines as a reader sees them."""
    signals = look(HTML)
    assert ("Rye and oats",) == signals.headings
    assert ("Rye and oats", "nine villages and a link", "second line") == signals.lines[:3]


def test_texts_cut_when_long() -> None:
    """No more is read of a text than an error message has, nor more texts than are on top."""
    signals = look(f"<title>{'rye ' * 500}</title>" + f"<h2>{'oats ' * 500}</h2><p>x" * 50)
    assert 300 > len(signals.title)
    assert 8 == len(signals.headings)
    assert 20 == len(signals.lines)
    assert 300 >= max(map(len, signals.lines))


def test_row_looked_into() -> None:
    """A row has the words and pictures it holds, spare text left out."""
    signals = look("<div id=a>two words<noscript>no</noscript><img></div><p>others")
    row = next(row for row, _ in signals.matches("id", word(b"a")))
    assert 2 == signals.words_of(row)
    assert 1 == signals.pictures_of(row)
    assert 2 == signals.plain_words_within(signals.page.tagged(["div"]))


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (word(b"box"), ["a", "c"]),
        (word(b"box|wide"), ["a", "a", "c"]),
        (rb"box", ["a", "b", "c"]),
        (word(b"big\0box"), ["a"]),
        (word(b"none"), []),
    ],
)
def test_matches_found_by_words(pattern: bytes, found: list[str]) -> None:
    """A word is matched whole, in any case, whatever white space is around; a part anywhere."""
    signals = look("<i id=a class='Big\nBOX wide'></i><i id=b class=box2></i><i id=c class=box>")
    rows = [row for row, _ in signals.matches("class", pattern)]
    assert found == [signals.page.attr(row, "id") for row in rows]


def test_match_given_as_text() -> None:
    """A match must be returned unescaped and without the text around it."""
    signals = look("<a href='HTTPS://mill.test/?a=1&b=2'></a>")
    assert ["/?a=1&b"] == [text for _, text in signals.matches("href", rb"/\?a=1&amp;b")]


def test_first_mark_of_the_table_found() -> None:
    """The order of the table decides, not that of the page."""
    marks = (Mark("id", word(b"x"), "an x"), Mark("src", rb"/y", "a y"), Mark("id", b"w", "a w"))
    signals = look("<i id=w></i><img src=/y>")
    assert FoundMark(marks[1], "/y") == signals.find_mark(marks)
    assert "a y (`src` with `/y`)" == str(signals.find_mark(marks))
    assert signals.find_mark(marks[:1]) is None


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 words"), (1, "1 word"), (2, "2 words"), (1200, "1,200 words")]
)
def test_count_written_with_its_noun(number: int, text: str) -> None:
    """The noun agrees with its number."""
    assert text == format_count(number, "word")
