"""Markdown is rendered as the HTML that a reader would see."""

from __future__ import annotations

import pytest

from thresher.evaluation.fidelity.cases import render_markdown


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("| a |\n| --- |\n| b |", "<td>b</td>"),
        ("~~a~~", "<s>a</s>"),
        ("x<sub>2</sub>", "x<sub>2</sub>"),
        ("$a<b$", '<annotation encoding="application/x-tex">a&lt;b</annotation>'),
        ("$$\na\n$$", '<math display="block">'),
        ("a\n: b", "<dd>b</dd>"),
        ("rye at $5, oats at $6", "<p>rye at $5, oats at $6</p>"),
    ],
)
def test_markdown_is_read_as_documented(markdown: str, expected: str) -> None:
    """Each extension is supported, and an amount of money is not a formula."""
    assert expected in render_markdown(markdown)


def test_marks_of_footnotes_leave_no_text() -> None:
    """Footnote marks leave no text, so that only the text of the note remains."""
    html = render_markdown("rye[^1] oats\n\n[^1]: grain\n")
    assert "<p>rye oats</p>" in html
    assert "<p>grain</p>" in html
