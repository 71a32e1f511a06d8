"""Description lists in Markdown."""

from __future__ import annotations

import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher.evaluation.fidelity.render import render_markdown

SIMPLE = "<dl><dt>a<dd>b<dt>c<dd><p>d</p><dd>e</dl>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (SIMPLE, "a\n: b\n\nc\n: d\n: e"),
        ("<dl><dt>a<dt>b<dd>c</dl>", "a\n\nb\n: c"),
        ("<dl><dt><b>a</b><dd><code>b</code> <a href=/c>c</a></dl>", "**a**\n: `b` [c](/c)"),
        (f"<blockquote>{SIMPLE}</blockquote>", "> a\n> : b\n>\n> c\n> : d\n> : e"),
        ("<ol><li>x<dl><dt>a<dd>b</dl></ol>", "1. x\n\n   a\n   : b"),
        ("<dl><dt>a<dd>1. b</dl>", "a\n: 1\\. b"),
        ("<dl><dt>a<dd># b</dl>", "a\n: \\# b"),
        ("<dl><dt>a<dd>- b</dl>", "a\n: \\- b"),
    ],
)
def test_list_is_written_with_colons_when_definitions_are_one_line(
    html: str, expected: str
) -> None:
    """Terms, definitions and their surroundings must be written as Pandoc and others read them."""
    base = "https://site.example"
    assert expected == document_keeping(html).markdown.replace(base, "")


@pytest.mark.parametrize(
    "inside",
    ["<p>b<p>c", "<ul><li>b</ul>", "<pre>b</pre>", "b<br>c", "<dl><dt>b<dd>c</dl>"],
)
def test_list_is_paragraphs_when_a_definition_is_longer(inside: str) -> None:
    """A list with a definition that would need indentation must be written as paragraphs."""
    assert document_keeping(f"<dl><dt>a<dd>{inside}<dt>z<dd>y</dl>").markdown.startswith("a\n\n")


def test_list_is_plain_when_it_is_in_a_cell() -> None:
    """A cell must be one line."""
    table = f"<table><tr><th>x<th>y<tr><td>{SIMPLE}<td>z</table>"
    assert "\n: " not in document_keeping(table).markdown


def test_list_comes_back_when_markdown_is_read() -> None:
    """A reader that supports description lists must get the list back."""
    read = render_markdown(document_keeping(SIMPLE).markdown)
    assert ["a", "c"] == [part.split("<")[0] for part in read.split("<dt>")[1:]]
    assert 3 == read.count("<dd>")


def test_no_definition_is_written_twice_when_a_later_one_is_longer() -> None:
    """A list that cannot be written with colons must stay as it was."""
    html = "<dl><dt>a<dd>b<dt>c<dd><p>d<p>e</dl>"
    assert "a\n\nb\n\nc\n\nd\n\ne" == document_keeping(html).markdown
