"""Titles, items and comments in pages that Word saved."""

from __future__ import annotations

import pytest

from tests.helpers.data import cases
from thresher.analysis.word_exports import find_comments, find_items, find_title
from thresher.page.parse import parse


@cases(__file__, "items")
def test_items_are_found_when_paragraphs_have_markers(
    html: str, expected: list[list[int | str]]
) -> None:
    """Each item must be found with its level and marker."""
    items = find_items(parse(f"<body>{html}"))
    assert expected == [[item.level, item.marker] for item in items]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p class=MsoNormal>a<p class='x MsoTitle'>b<p class=MsoTitle>c", "b"),
        ("<div class=doc-content><p class='c1 title'>a<p class='c1 subtitle'>b", "a"),
        ("<div class=headertitle><div class=title>a</div></div><p class=title>b", "a"),
        ("<div class=componentheading>a</div><p>b", "a"),
        ("<p class='c1 title'>a", ""),
        ("<p class=MsoTitle></p><p class=MsoTitleOf>a", ""),
        ("<p>a", ""),
    ],
)
def test_title_is_the_first_paragraph_of_its_class(html: str, expected: str) -> None:
    """The title must be a paragraph with text, and with the class of Word or of Google Docs."""
    page = parse(f"<body>{html}")
    row = find_title(page)
    assert expected == (page.text_of(row) if row else "")


def test_comments_are_found_when_word_wrote_them() -> None:
    """The links of comments and the element around the comments must be found."""
    page = parse(
        "<body>a<a href='#_msocom_1'>[A1]</a><a href='#_ftn1'>[1]</a>"
        "<div style='mso-element:comment'>b</div>"
    )
    found = find_comments(page)
    assert [["[A1]"], ["b"]] == [list(map(page.text_of, rows)) for rows in found]
