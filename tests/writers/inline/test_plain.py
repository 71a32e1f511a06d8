"""Inline elements in plain text."""

from __future__ import annotations

import pytest

from tests.helpers.fixture_pages import document_keeping


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("x<sup>2<sup>2</sup></sup>", "x²²"),
        ("<b>x</b><sup><i>2</i></sup>", "x²"),
        ("<q><q>a</q> b</q>", "““a” b”"),
        ("<ruby>a<rt>b</rt>c<rt>d</rt></ruby>", "a(b)c(d)"),
        ("<img class=latex alt='a^2' src=x> b", "a^2 b"),
        ("<math><mi>x</mi></math>-fold", "x-fold"),
    ],
)
def test_inline_element_is_written_when_it_changes_the_meaning(html: str, expected: str) -> None:
    """The meaning of markup must be kept in the text where characters can express it."""
    assert expected == document_keeping(f"<p>{html}").text
