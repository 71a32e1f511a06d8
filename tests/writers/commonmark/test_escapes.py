"""Signs of long texts are escaped part by part."""

from __future__ import annotations

import html

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.deadline import deadline
from thresher.errors import LimitError
from thresher.evaluation.fidelity.cases import render_markdown
from thresher.writers.commonmark.escapes import escape_words

LONG = 9_000
"""Repetitions that make a text longer than one part."""


@pytest.mark.parametrize("words", ["[a](b)", "<a &amp; < b", "*_~`\\|", "a &#38", "x" * 9 + "&lt;"])
@pytest.mark.parametrize("in_cell", [False, True])
def test_long_text_is_escaped_like_its_parts(words: str, in_cell: bool) -> None:
    """Where a long text is divided makes no difference."""
    once = escape_words(f"{words} .", in_cell=in_cell)
    assert " ".join([once] * LONG) == escape_words(" ".join([f"{words} ."] * LONG), in_cell=in_cell)


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
