"""Conversion of strings, lists of paragraphs and editors' trees."""

from __future__ import annotations

import json
from pathlib import Path

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


NODES: dict[str, dict[str, JsonValue]] = json.loads(
    Path(__file__).with_suffix(".json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("node", NODES.values(), ids=NODES)
def test_write_rich_text(node: dict[str, JsonValue]) -> None:
    """The tree of each system becomes equivalent markup in the same order."""
    assert node["expected"] == write_rich_text(node["value"])


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
