"""Dollar signs in Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.fixture_pages import document_keeping
from thresher.evaluation.fidelity.cases import render_markdown
from thresher.page.parse import parse
from thresher.writers.commonmark.dollars import escape_dollars
from thresher.writers.stream.marks import DOLLAR


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


def test_dollar_is_escaped_when_the_paragraph_has_a_formula() -> None:
    """In a paragraph with formulas every literal dollar sign must be escaped, in others none."""
    image = "<img class=latex alt=n src=/n.png>"
    document = document_keeping(f"<p>For {image} it is $4.</p><p>Else $5.</p>")
    assert "For $n$ it is \\$4.\n\nElse $5." == document.markdown


def test_dollar_is_not_escaped_when_it_is_code() -> None:
    """In code a backslash would be visible."""
    html = "<p>Say <code>$a$</code> or 1$ <b>$b$</b>.</p><pre>$a $b$\n</pre>"
    expected = "Say `$a$` or 1$ **\\$b$**.\n\n```\n$a $b$\n```"
    assert expected == document_keeping(html).markdown


@given(st.text(alphabet="$5a .\\", max_size=12))
def test_no_text_becomes_a_formula(text: str) -> None:
    """Text with any dollar signs must not become a formula in a reader that supports them."""
    document = document_keeping(f"<body><p>x{text}x</p><p>x $$ {text}</p>")
    read = parse(render_markdown(document.markdown) or "<p>")
    assert "<math" not in render_markdown(document.markdown)
    assert "".join(document.text.split()) == "".join(read.text.split())
