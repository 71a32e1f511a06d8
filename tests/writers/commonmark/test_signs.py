"""Signs of Markdown: escapes, dollar signs, delimiters of emphasis."""

from __future__ import annotations

import html
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.fixture_pages import document_keeping
from thresher.deadline import deadline
from thresher.errors import LimitError
from thresher.evaluation.fidelity.cases import render_markdown
from thresher.page.parse import parse
from thresher.writers.commonmark.signs import escape_dollars, escape_words, write_emphasis
from thresher.writers.stream.markup import DOLLAR


def test_deadline_is_checked_inside_a_long_text() -> None:
    """A million brackets end at the deadline."""
    with deadline(1e-9), pytest.raises(LimitError):
        escape_words("[]" * 100_000, in_cell=False)


@settings(max_examples=300)
@given(words=st.text("[]()!^:xX *_a1~`", min_size=1, max_size=30))
def test_escaped_words_are_read_as_they_were(words: str) -> None:
    """A CommonMark parser with tables, strikethrough and notes finds the words as text."""
    words = " ".join(f"a {words} a".split())
    rendered = render_markdown(escape_words(words, in_cell=False))
    assert f"<p>{html.escape(words)}</p>\n" == rendered


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from $5 to $10", "from $5 to $10"),
        ("$5/$10, and $ 3 to A$4", "$5/$10, and $ 3 to A$4"),
        ("$5 or 10$.", "\\$5 or 10$."),
        ("$5 (US$), $6", "\\$5 (US$), $6"),
        ("$$ and $$$", "\\$\\$ and \\$\\$\\$"),
        ("$", "$"),
        ("$HOME and $PATH$", "\\$HOME and \\$PATH$"),
        ("$5 [a](/b$)", "\\$5 [a](/b$)"),
    ],
)
def test_dollar_is_escaped_when_a_pair_would_be_a_formula(text: str, expected: str) -> None:
    """Prices stay unchanged; a dollar sign that could open a closed formula is escaped."""
    marked = text.replace("$", DOLLAR).replace(f"/b{DOLLAR}", "/b$")
    assert expected == escape_dollars(marked, has_formula=False)


@given(st.text(alphabet="$5a .\\", max_size=12))
def test_no_text_becomes_a_formula(text: str) -> None:
    """Text with any dollar signs must not become a formula in a reader that supports them."""
    document = document_keeping(f"<body><p>x{text}x</p><p>x $$ {text}</p>")
    read = parse(render_markdown(document.markdown) or "<p>")
    assert "<math" not in render_markdown(document.markdown)
    assert "".join(document.text.split()) == "".join(read.text.split())


STRONG = "\ufdd0{}\ufdd1"

CASES: Final = {
    "punctuation on both sides": ("-" + STRONG.format("(b)") + "-", "-**(b)**-"),
    "space inside": (STRONG.format(" a"), " a"),
    "only wide punctuation": ("早" + STRONG.format("。") + "晚", "早。晚"),
    "would start a heading": (STRONG.format("# a:") + "b", r"\# a:b"),
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
