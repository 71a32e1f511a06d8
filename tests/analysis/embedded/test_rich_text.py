"""Conversion of strings, lists of paragraphs and editors' trees."""

from __future__ import annotations

import pytest

from thresher.analysis.embedded.rich_text import (
    MAX_NODES,
    is_markup,
    kind_of,
    markup_of_text,
    write_rich_text,
)
from thresher.analysis.structured import JsonValue

STRINGS = {
    "one line": ("a & b", "<p>a &amp; b</p>"),
    "lines": ("a\nb", "<p>a</p><p>b</p>"),
    "empty lines": ("a\nb\n \nc", "<p>a<br>b</p><p>c</p>"),
    "carriage returns": ("a\r\n\r\nb", "<p>a</p><p>b</p>"),
    "escaped once": ("a &amp; b", "<p>a &amp; b</p>"),
    "markup": ("<p>a &amp; b", "<p>a &amp; b"),
    "escaped markup": ("&lt;p&gt;a&lt;/p&gt;", "<p>a</p>"),
    "less than": ("a < b > c", "<p>a &lt; b &gt; c</p>"),
    "nothing": (" \n ", ""),
}


@pytest.mark.parametrize(("text", "expected"), STRINGS.values(), ids=STRINGS)
def test_markup_of_text(text: str, expected: str) -> None:
    """Markup is kept, plain text becomes paragraphs."""
    assert expected == markup_of_text(text)


def test_is_markup_needs_a_known_tag() -> None:
    """Angle brackets alone are not markup."""
    texts = ("a<br>b", "<div class='x'>", "</p>", "a <b", "<x>", "1 < 2 > 1")
    assert [True, True, True, False, False, False] == [is_markup(text) for text in texts]


def test_kind_of_a_node() -> None:
    """The type of a node is read from any of the usual keys, that of a heading from its style."""
    nodes: list[dict[str, JsonValue]] = [
        {"_type": "block", "style": "h2"},
        {"blockName": "core/list-item"},
        {"type": 3, "__typename": "ParagraphBlock"},
        {"text": "x"},
    ]
    assert ["h2", "listitem", "paragraphblock", ""] == [kind_of(node) for node in nodes]


def text(value: str) -> dict[str, JsonValue]:
    return {"type": "text", "text": value}


NODES: dict[str, tuple[JsonValue, str]] = {
    "prosemirror": (
        {"type": "doc", "content": [{"type": "paragraph", "content": [text("a "), text("b")]}]},
        "<p>a b</p>",
    ),
    "heading with attributes": (
        [{"type": "heading", "attrs": {"level": 3}, "content": [text("a")]}],
        "<h3>a</h3>",
    ),
    "slate": ([{"type": "h2", "children": [{"text": "a"}]}], "<h2>a</h2>"),
    "contentful": (
        {"nodeType": "heading-4", "data": {}, "content": [{"nodeType": "text", "value": "a"}]},
        "<h4>a</h4>",
    ),
    "portable text": (
        [
            {"_type": "block", "style": "h2", "children": [{"_type": "span", "text": "a"}]},
            {"_type": "block", "style": "normal", "children": [{"_type": "span", "text": "b"}]},
            {"_type": "block", "listItem": "bullet", "children": [{"_type": "span", "text": "c"}]},
        ],
        "<h2>a</h2><p>b</p><li>c</li>",
    ),
    "editor.js": (
        [
            {"type": "header", "data": {"text": "a", "level": 2}},
            {"type": "paragraph", "data": {"text": "b <b>c</b>"}},
            {"type": "list", "data": {"style": "ordered", "items": ["d", "e"]}},
        ],
        "<h2>a</h2><p>b <b>c</b></p><ul><li>d</li><li>e</li></ul>",
    ),
    "draft.js": (
        [{"type": "header-two", "text": "a"}, {"type": "unstyled", "text": "b"}],
        "<h2>a</h2><p>b</p>",
    ),
    "list in a list": (
        {
            "type": "bullet_list",
            "content": [
                {"type": "list_item", "content": [{"type": "paragraph", "content": [text("a")]}]},
                {"type": "ordered_list", "content": [{"type": "list_item", "content": "b"}]},
            ],
        },
        "<ul><li><p>a</p></li><ol><li>b</li></ol></ul>",
    ),
    "quote": ({"type": "blockquote", "children": [text("a")]}, "<blockquote>a</blockquote>"),
    "code": ({"type": "code_block", "content": [text("a < b")]}, "<pre>a &lt; b</pre>"),
    "line break": (
        {"type": "p", "children": [text("a"), {"type": "hard_break"}, text("b")]},
        "<p>a<br>b</p>",
    ),
    "link": (
        {"type": "p", "children": [{"type": "link", "url": '/x"y', "children": [text("a")]}]},
        '<p><a href="/x&quot;y">a</a></p>',
    ),
    "pieces of markup": (
        [{"type": "html", "html": "<p>a</p>"}, {"type": "text", "content": "<p>b</p>"}],
        "<p>a</p><p>b</p>",
    ),
    "paragraphs": (["a", "b"], "<p>a</p><p>b</p>"),
    "texts side by side": ([{"type": "x", "children": [text("a"), text("b")]}], "<p>ab</p>"),
    "pictures and the like": ([{"type": "image", "text": "a"}, {"type": "ad", "text": "b"}], ""),
    "table": (
        {
            "type": "table",
            "content": [
                {"type": "table_row", "content": [{"type": "table_cell", "content": [text("a")]}]}
            ],
        },
        "<table><tr><td>a</td></tr></table>",
    ),
    "nothing": ([None, 1, True, {}, []], ""),
}


@pytest.mark.parametrize(("value", "expected"), NODES.values(), ids=NODES)
def test_write_rich_text(value: JsonValue, expected: str) -> None:
    """The tree of each system becomes equivalent markup in the same order."""
    assert expected == write_rich_text(value)


def test_write_rich_text_of_a_cycle() -> None:
    """A node that contains itself twice is converted up to the limits."""
    node: dict[str, JsonValue] = {"type": "section"}
    node["children"] = ["x", node, node]
    written = write_rich_text(node)
    assert 0 < written.count("<p>x</p>") <= MAX_NODES


def test_write_rich_text_of_a_deep_tree() -> None:
    """Nesting beyond any text's is left out."""
    value: JsonValue = "deep"
    for _ in range(100_000):
        value = [value]
    assert "<p>x</p>" == write_rich_text(["x", value])
