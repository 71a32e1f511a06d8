"""Description lists in Markdown."""

from __future__ import annotations

import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher.evaluation.fidelity.cases import render_markdown

SIMPLE = "<dl><dt>a<dd>b<dt>c<dd><p>d</p><dd>e</dl>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (SIMPLE, "a\n: b\n\nc\n: d\n: e"),
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
    ("inside", "expected"),
    [
        ("<p>b<p>c", "a\n: b\n\n  c"),
        ("b<ul><li>c</ul>", "a\n: b\n\n  - c"),
        ("b<pre>c\n  d</pre>", "a\n: b\n\n  ```\n  c\n    d\n  ```"),
        ("b<br>c", "a\n: b  \n  c"),
        ("b<dl><dt>c<dd>d</dl>", "a\n: b\n\n  c\n  : d"),
        ("b<dl><dt>c<dd><p>d<p>e</dl>", "a\n: b\n\n  **c**\n\n  d\n\n  e"),
    ],
)
def test_definition_is_indented_when_it_is_longer(inside: str, expected: str) -> None:
    """The blocks of a definition after its first must be indented, as of an item."""
    html = f"<dl><dt>a<dd>{inside}<dt>z<dd>y</dl><p>x"
    assert f"{expected}\n\nz\n: y\n\nx" == document_keeping(html).markdown


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<dt>a<dt>b<dd>c", "**a**\n\nb\n: c"),
        ("<dt>a<dt>b<dd>c<p>d", "**a**\n\nb\n: c\n\n  d"),
        ("<dt>a<dd><ul><li>b</ul>", "**a**\n\n- b"),
        ("<dt>a<dd><pre>b</pre>", "**a**\n\n```\nb\n```"),
        ("<dt><b>a</b> c<dd><pre>b</pre>", "**a** c\n\n```\nb\n```"),
        ("<dt>a<br>c<dd>d", "**a  \nc**\n\nd"),
    ],
)
def test_term_is_bold_when_colons_cannot_be_written(inside: str, expected: str) -> None:
    """A term must be told from its definition in every list."""
    assert expected == document_keeping(f"<dl>{inside}</dl>").markdown


def test_list_is_plain_when_it_is_in_a_cell() -> None:
    """A cell must be one line."""
    table = f"<table><tr><th>x<th>y<tr><td>{SIMPLE}<td>z</table>"
    assert "\n: " not in document_keeping(table).markdown


def test_list_comes_back_when_markdown_is_read() -> None:
    """A reader that supports description lists must get the list back."""
    read = render_markdown(document_keeping(SIMPLE).markdown)
    assert ["a", "c"] == [part.split("<")[0] for part in read.split("<dt>")[1:]]
    assert 3 == read.count("<dd>")


def test_blocks_of_a_definition_come_back_when_markdown_is_read() -> None:
    """A reader that supports description lists must get the blocks of a definition back."""
    html = "<dl><dt>a<dd>b<dt>c<dd><p>d<p>e<pre>f</pre></dl><p>g"
    read = render_markdown(document_keeping(html).markdown)
    inside = read[read.index("<dl>") : read.index("</dl>")]
    assert "<p>d</p>\n<p>e</p>\n<pre><code>f" in inside
    assert read.endswith("</dl>\n<p>g</p>\n")
