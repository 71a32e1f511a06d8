"""Lists in pieces."""

from __future__ import annotations

from typing import Final

import pytest

from tests.helpers.fixture_pages import document_keeping

ONE: Final = "<ol start=1><li>a</ol>"
CASES: Final = {
    "one number each": (f"{ONE}<ol start=2><li>b</ol><ol start=3><li>c</ol>", "1. a\n2. b\n3. c"),
    "several items": ("<ol><li>a<li>b</ol><ol start=3><li>c</ol>", "1. a\n2. b\n3. c"),
    "wrapped": (f"<div>{ONE}</div><div><div><ol start=2><li>b</ol></div></div>", "1. a\n2. b"),
    "with lists inside": (
        "<ol><li>a<ul class=x><li>b</ul><ul class=x><li>c</ul></ol><ol start=2><li>d</ol>",
        "1. a\n   - b\n   - c\n2. d",
    ),
    "another number": (f"{ONE}<ol start=4><li>b</ol>", "1. a\n\n4) b"),
    "no number": (f"{ONE}<ol><li>b</ol>", "1. a\n1) b"),
    "another kind": (f"{ONE}<ol start=2 type=a><li>b</ol>", "1. a\n\n2) b"),
    "in reverse": ("<ol reversed><li>a</ol><ol start=2><li>b</ol>", "1. a\n\n2) b"),
    "values": ("<ol><li value=1>a</ol><ol start=2><li>b</ol>", "1. a\n\n2) b"),
    "a text between": (f"{ONE}b<ol start=2><li>c</ol>", "1. a\n\nb\n\n2. c"),
    "a rule between": (f"{ONE}<hr><ol start=2><li>b</ol>", "1. a\n\n---\n\n2. b"),
    "one bullet each": ("<ul class=x><li>a</ul><ul class=x><li>b</ul>", "- a\n- b"),
    "bullets of two lists": ("<ul><li>a<li>b</ul><ul><li>c</ul>", "- a\n- b\n* c"),
    "bullets of two kinds": ("<ul class=x><li>a</ul><ul class=y><li>b</ul>", "- a\n* b"),
    "numbers that are hidden": (
        "<ol style='list-style: none'><li>a<ol><li>b</ol><li>c</ol>",
        "a\n\n1. b\n\nc",
    ),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_lists_are_one_when_they_continue(html: str, expected: str) -> None:
    """Each case must be written as its table says."""
    assert expected == document_keeping(html).markdown


def test_continued_list_is_one_in_all_formats() -> None:
    """HTML must have one list, and no language between its items; plain text one paragraph."""
    second = "<div dir=rtl><ol start=2><li><div lang=fr>b</div></ol></div>"
    document = document_keeping(f"<div dir=rtl>{ONE}</div>{second}<div dir=rtl><p>c</div>")
    items = '<li>a</li>\n<li>\n<div lang="fr">b</div>\n</li>'
    assert f'<ol start="1">\n{items}\n</ol>\n<div dir="rtl">\n<p>c</p>\n</div>' == document.html
    assert "1. a\n2. b\n\nc" == document.text
