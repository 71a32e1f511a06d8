"""Titles, items and comments in pages that Word saved."""

from __future__ import annotations

from typing import Final

import pytest

from thresher.analysis.word_exports import find_comments, find_items, find_title
from thresher.page.parse import parse

SPACE: Final = "<span style='font:7.0pt \"Times New Roman\"'>&nbsp; </span>"
IGNORED: Final = "<span style='mso-list:Ignore'>1.</span>"
ITEMS: Final[dict[str, tuple[str, list[tuple[int, str]]]]] = {
    "an item": (f"<p style='mso-list:l0 level2 lfo1'>{IGNORED}a", [(2, "1.")]),
    "a style among others": (
        f"<p style='margin:0;mso-list:L12 Level1 lfo1;color:red'>{IGNORED}a",
        [(1, "1.")],
    ),
    "filtered": (f"<p class=MsoListParagraph><span>·{SPACE}</span>a", [(1, "·")]),
    "filtered, with a number": (f"<p class=MsoListParagraphCxSpLast>2.{SPACE}a", [(1, "2.")]),
    "without a marker": ("<p class=MsoListParagraph>a", []),
    "a space after a text": (f"<p class=MsoListParagraph>far too long a marker{SPACE}a", []),
    "a space in a heading": (f"<h1 class=MsoListParagraph>1.{SPACE}a", []),
    "an item of a list": (f"<ul><li class=MsoListParagraph>·{SPACE}a</ul>", []),
    "another paragraph": (f"<p class=MsoNormal>1.{SPACE}a", []),
}


@pytest.mark.parametrize(("html", "expected"), ITEMS.values(), ids=list(ITEMS))
def test_items_are_found_when_paragraphs_have_markers(
    html: str, expected: list[tuple[int, str]]
) -> None:
    """Each item must be found with its level and marker."""
    items = find_items(parse(f"<body>{html}"))
    assert expected == [(item.level, item.marker) for item in items]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p class=MsoNormal>a<p class='x MsoTitle'>b<p class=MsoTitle>c", "b"),
        ("<p class=MsoTitle></p><p class=MsoTitleOf>a", ""),
        ("<p>a", ""),
    ],
)
def test_title_is_the_first_paragraph_of_its_class(html: str, expected: str) -> None:
    """The title must be a paragraph with text and the class `MsoTitle`."""
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
