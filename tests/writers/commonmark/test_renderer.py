"""Blocks of a stream as Markdown."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given

from tests.helpers.trees import soups
from thresher.writers.commonmark.renderer import render_events
from thresher.writers.stream.markup import ANY_MARK
from thresher.writers.stream.reader import read_events

CASES: Final = {
    "paragraphs": ("<p>a</p><p>b</p>", "a\n\nb"),
    "headings": ("<h2>a</h2><p>b</p><h3>c #</h3>", "## a\n\nb\n\n### c \\#"),
    "an empty heading": ("<h2></h2><p>a</p>", "a"),
    "a rule": ("<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"),
    "a quote": (
        "<p>a</p><blockquote><p>b</p><p>c</p></blockquote><p>d</p>",
        "a\n\n> b\n>\n> c\n\nd",
    ),
    "quotes": ("<blockquote>a</blockquote><blockquote>b</blockquote>", "> a\n\n> b"),
    "a quote in an item": (
        "<ul><li>a<blockquote>b</blockquote></li></ul>",
        "- a\n\n  > b",
    ),
    "a tight list": ("<ul><li>a</li><li><p>b</p></li></ul>", "- a\n- b"),
    "a loose list": ("<ul><li>a</li><li><p>b</p><p>c</p></li></ul>", "- a\n\n- b\n\n  c"),
    "a list in a list": ("<ul><li>a<ol><li>b</li></ol></li></ul>", "- a\n  1. b"),
    "lists side by side": ("<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n* b"),
    "lists apart": ("<ul><li>a</li></ul><p>b</p><ul><li>c</li></ul>", "- a\n\nb\n\n- c"),
    "a list from a number": ("<p>a</p><ol start='3'><li>b</li></ol>", "a\n\n1. b"),
    "ten items": (
        '<ol start="9"><li>a<br>b</li><li>c<br>d</li></ol>',
        "9. a  \n   b\n10. c  \n    d",
    ),
    "code": ('<pre><code class="language-c">a\n\nb\n</code></pre>', "```c\na\n\nb\n```"),
    "code with a fence": ("<pre><code>```</code></pre>", "````\n```\n````"),
    "code in an item": ("<ul><li>a<pre>b\nc</pre></li></ul>", "- a\n  ```\n  b\n  c\n  ```"),
    "a summary with white space": ("<details><summary> a </summary></details>", "**a**"),
    "a heading as a summary": ("<details><summary><h2>a</h2></summary></details>", "## a"),
    "a callout whose title is no text": (
        '<blockquote data-callout="note" data-titled=""><hr></blockquote><p>a</p>',
        "> [!NOTE]\n> ---\n\na",
    ),
    "a summary": ("<details><summary>a</summary>b</details>", "**a**\n\nb"),
    "a table": (
        "<table><tr><th>a</th><th>b</th></tr><tr><td>c</td></tr></table>",
        "| a | b |\n| --- | --- |\n| c |  |",
    ),
}


@pytest.mark.parametrize(("markup", "expected"), CASES.values(), ids=list(CASES))
def test_blocks_are_separated_as_markdown_needs(markup: str, expected: str) -> None:
    """Blocks must be separated where they would merge, and lists must stay as tight as they are."""
    assert expected == render_events(read_events(markup, None))


def test_depth_is_no_limit() -> None:
    """A page of any depth must be written."""
    markup = "<ul><li>" * 3000 + "a" + "</li></ul>" * 3000
    assert render_events(read_events(markup, None)).endswith("- a")


@given(soups())
def test_any_stream_is_rendered(markup: str) -> None:
    """Any markup must be written, without a mark of the stream left in it."""
    written = render_events(read_events(markup, None))
    assert not set(written) & set(ANY_MARK) - set(markup)
