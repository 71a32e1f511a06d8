"""Delimiters of emphasis in Markdown."""

from __future__ import annotations

from typing import Final

import pytest

from thresher.writers.commonmark.signs import write_emphasis

STRONG, EMPHASIS = ("\ufdd0{}\ufdd1", "\ufdd2{}\ufdd3")

CASES: Final = {
    "alone": (STRONG.format("a"), "**a**"),
    "nested": (STRONG.format(EMPHASIS.format("a")), "***a***"),
    "joined": (STRONG.format("a") + STRONG.format("b"), "**ab**"),
    "side by side": (STRONG.format("a") + EMPHASIS.format("b"), "**a**b"),
    "punctuation inside, letter outside": ("a" + STRONG.format("(b)") + "c", "a(b)c"),
    "punctuation on both sides": ("-" + STRONG.format("(b)") + "-", "-**(b)**-"),
    "space inside": (STRONG.format(" a"), " a"),
    "wide punctuation inside, letter outside": (STRONG.format("茶。") + "晚", "**茶**。晚"),
    "wide punctuation on both sides": ("早" + STRONG.format("“茶”") + "晚", "早“**茶**”晚"),
    "only wide punctuation": ("早" + STRONG.format("。") + "晚", "早。晚"),
    "would start a heading": (STRONG.format("# a:") + "b", r"\# a:b"),
    "would start a list": (STRONG.format("1. a:") + "b", r"1\. a:b"),
    "would start a list on the second line": (
        "c  \n" + STRONG.format("- a:") + "b",
        "c  \n\\- a:b",
    ),
    "would start nothing in a line": ("c " + STRONG.format("# a:") + "b", "c # a:b"),
    "an end without a start": ("a\ufdd1", "a"),
}


@pytest.mark.parametrize(("marked", "expected"), CASES.values(), ids=list(CASES))
def test_marks_become_delimiters_when_markdown_would_read_them(marked: str, expected: str) -> None:
    """Marks must become delimiters where CommonMark recognises them, and vanish elsewhere."""
    assert expected == write_emphasis(marked, begins_line=True)


def test_no_sign_is_escaped_when_the_paragraph_begins_no_line() -> None:
    """In a heading or a cell, signs at the start begin no block."""
    assert "# a:b" == write_emphasis(STRONG.format("# a:") + "b", begins_line=False)
