"""Items of lists that are paragraphs."""

from __future__ import annotations

from typing import Final

import pytest

from tests.helpers.fixture_pages import document_keeping


def _item(level: int, marker: str, text: str) -> str:
    style = f"mso-list:l0 level{level} lfo1"
    return f"<p style='{style}'><span style='mso-list:Ignore'>{marker}</span>{text}</p>"


CASES: Final = {
    "bullets": (_item(1, "·", "a") + _item(1, "·", "b"), "- a\n- b"),
    "levels": (
        _item(1, "1.", "a") + _item(2, "a)", "b") + _item(2, "b)", "c") + _item(1, "2.", "d"),
        "1. a\n   1. b\n   2. c\n2. d",
    ),
    "levels that fall": (_item(3, "o", "a") + _item(2, "1.", "b"), "- a\n1. b"),
    "a start": (_item(1, "3.", "a") + _item(1, "4.", "b"), "3. a\n4. b"),
    "a jump": (_item(1, "1.", "a") + _item(1, "7.", "b"), "1. a\n\n7) b"),
    "sections": (_item(1, "2.1.", "a") + _item(1, "2.2.", "b"), "1. a\n2. b"),
    "two kinds": (_item(1, "·", "a") + _item(1, "1.", "b"), "- a\n1. b"),
    "a text between": (_item(1, "1.", "a") + "<p>b" + _item(1, "2.", "c"), "1. a\n\nb\n\n2. c"),
    "in cells": (
        f"<table><tr><th>x<th>y<tr><td>{_item(1, '·', 'a')}<td>{_item(1, '·', 'b')}</table>",
        "| x | y |\n| --- | --- |\n| - a | - b |",
    ),
    "a caption": (
        f"<table><caption>{_item(1, '·', 'a')}</caption><tr><th>x<th>y</table>",
        "a\n\n| x | y |\n| --- | --- |",
    ),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_paragraphs_are_items_when_word_says_so(html: str, expected: str) -> None:
    """Each case must be written as its table says."""
    assert expected == document_keeping(html).markdown


def test_paragraphs_are_items_in_all_formats() -> None:
    """HTML must have nested lists, and plain text the numbers of the page."""
    html = _item(1, "1.", "a") + _item(2, "b)", "b") + _item(1, "2.", "c")
    document = document_keeping(f"<p>x</p>{html}")
    inner = "<ol>\n<li>\na\n<ol>\n<li>b</li>\n</ol>\n</li>\n<li>c</li>\n</ol>"
    assert f"<p>x</p>\n{inner}" == document.html
    assert "x\n\n1. a\n  b. b\n2. c" == document.text


def test_comments_are_not_written_when_word_wrote_them() -> None:
    """Neither the link of a comment nor its text may be written, and no space in its place."""
    html = (
        "<p>a<span><a href='#_msocom_1'>[A1]</a></span><b>b</b> c</p>"
        "<div style='mso-element:comment-list'><p><a name='_msocom_1'>[A1]</a>d</p></div>"
    )
    document = document_keeping(html)
    assert ("a**b** c", "ab c") == (document.markdown, document.text)
