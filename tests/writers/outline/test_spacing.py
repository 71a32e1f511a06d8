"""Spaces beside inline elements."""

from __future__ import annotations

import pytest

from tests.helpers.fixture_pages import document_keeping


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("a.<cite>b</cite>", "a. b"),
        ("<cite>a</cite>b", "a b"),
        ("<cite>a</cite>’s", "a’s"),
        ("(<cite>a</cite>)", "(a)"),
        ("<del>a</del><ins>b</ins>", "a b"),
        ("a<ins>b</ins>", "ab"),
        ("<del>a</del>b", "ab"),
    ],
)
def test_words_are_separated_when_only_style_sheets_did(html: str, expected: str) -> None:
    """A source or an edit must not run together with the neighbouring word."""
    assert expected == document_keeping(f"<p>{html}").text
