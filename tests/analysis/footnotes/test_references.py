"""Detection of references to notes."""

from __future__ import annotations

import pytest

from thresher.analysis.footnotes.references import (
    brackets_around,
    is_bracketed,
    is_named,
    looks_like_reference,
    read_mark,
)
from thresher.page import Page
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF


def link_in(html: str) -> tuple[Page, int]:
    """Return a page and the row of its first link."""
    page = parse(f"<body>{html}")
    return page, page.tag.tolist().index(CODE_OF["a"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [("[12]", "12"), (" 3b ", "3b"), ("fn 4", "fn 4"), ("†", "†"), ("see below", None), ("", None)],
)
def test_mark_is_read_when_it_is_short(text: str, expected: str | None) -> None:
    """Numbers, letters and signs are marks, with or without brackets; words are none."""
    assert expected == read_mark(text)


def test_brackets_are_found_when_they_stand_around_a_link() -> None:
    """Brackets in elements of their own must be distinguished from those in a longer text."""
    page, row = link_in("<p>x <b>[</b><a href=#n>1</a><b>]</b></p>")
    assert (1, 3) == brackets_around(page, row)
    page, row = link_in("<p>x [<a href=#n>1</a>] y</p>")
    assert is_bracketed(page, row)
    assert () == brackets_around(page, row)
    page, row = link_in("<p><a href=#n>1</a>")
    assert not is_bracketed(page, row)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>x <b><sup><a href=#n>1</a></sup></b>", True),
        ("<p>x <span class=footnote-ref><a href=#n>1</a></span>", True),
        ("<p class=footnote-ref>x <a href=#n>1</a>", False),
        ("<p>x <a href=#n>1</a>", False),
    ],
)
def test_reference_is_told_by_a_sign_near_by(html: str, expected: bool) -> None:
    """Raised or named inside of the line it is one; what a whole paragraph is named is no sign."""
    assert expected == looks_like_reference(*link_in(html))


def test_names_are_known_when_they_mean_notes() -> None:
    """Class names of references and notes are known, others not."""
    assert is_named(b'class="footnote"')
    assert not is_named(b'class="foot"')
