"""The kept part of a page as a fragment."""

from __future__ import annotations

from typing import Final

import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher import WriteOptions
from thresher.page.parse import parse
from thresher.writers.fragment.fragment import write_fragment
from thresher.writers.fragment.slices import format_start_tag, keep_attributes

CASES: Final[dict[str, tuple[str, list[str], str]]] = {
    "a paragraph is cut as it is": (
        '<p class="a">x <b>y</b></p>',
        [],
        '<p class="a">x <b>y</b></p>',
    ),
    "what is dropped leaves nothing": ("<div><p>x</p><nav>y</nav></div>", ["nav"], "<p>x</p>"),
    "bare text gets a paragraph": ("x<div>y</div>z", [], "<p>x</p><p>y</p><p>z</p>"),
    "the head is not written": ("<head><title>x</title></head>y", [], "<p>y</p>"),
    "spaces part what style sheets part": (
        "<span>x</span><time>y</time>",
        [],
        "<p>x <time>y</time></p>",
    ),
    "letters styled apart stay together": ("x<b>y</b>z", [], "<p>x<b>y</b>z</p>"),
    "emphasis in emphasis adds nothing": ("<i>x <em>y</em></i>", [], "<p><i>x y</i></p>"),
    "emphasis in what Markdown does not mark stays": (
        "<cite>x <i>y</i></cite> <dfn><em>z</em></dfn>",
        [],
        "<p><cite>x <i>y</i></cite> <dfn><em>z</em></dfn></p>",
    ),
    "a dropped word leaves a space": ("x<i>y</i>z", ["i"], "<p>x z</p>"),
    "line breaks stay between lines": ("<br>x<br>y<br>", [], "<p>x<br>y</p>"),
    "line breaks move out of inline elements": ("<b>x<br></b>y", [], "<p><b>x</b><br>y</p>"),
    "a rule stays between what is kept": ("x<hr>y", [], "<p>x</p><hr><p>y</p>"),
    "a rule goes beside what is dropped": ("<p>x</p><hr><i>y</i>", ["i"], "<p>x</p>"),
    "empty cells stay": (
        "<table><tbody><tr><th>x</th><td>y</td><td></td></tr></tbody></table>",
        ["td"],
        "<p>x</p>",
    ),
    "dropped cells stay empty": (
        "<table><tbody><tr><th>x</th><td>y</td></tr><tr><th>z</th><td>a</td></tr></tbody></table>",
        ["tr:last-child td"],
        "<table><tbody><tr><th>x</th><td>y</td></tr><tr><th>z</th><td></td></tr></tbody></table>",
    ),
    "a film whose fallback is kept is not shown": ("<video src=a>x</video>", ["video"], ""),
    "drawings are not written": ("x<svg><path></path></svg>", [], "<p>x</p>"),
    "bold around blocks goes into each": (
        "<b><p>x</p><p>y</p></b>",
        [],
        "<p><b>x</b></p><p><b>y</b></p>",
    ),
    "a link around blocks goes to the heading": (
        '<a href="u"><p>x</p><h2>y</h2></a>',
        [],
        '<p>x</p><h2><a href="u">y</a></h2>',
    ),
}


@pytest.mark.parametrize(("html", "drop", "expected"), CASES.values(), ids=list(CASES))
def test_fragment_is_as_expected_when_cut(html: str, drop: list[str], expected: str) -> None:
    """Each case must be written as its table says."""
    document = document_keeping(html, drop=drop)
    assert expected == write_fragment(document, WriteOptions()).markup.decode()


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2 {} title=t lang=de>A</h2>", '<h2 lang="de">A</h2>'),
        ("<p><a {} href='/x?a=1&b=2'>A</a>", '<p><a href="/x?a=1&amp;b=2">A</a></p>'),
        ("<a {} href=/x><h2>A</h2></a>", '<h2><a href="/x">A</a></h2>'),
        ("<p><math {}><mi>A</mi></math>", "<p>A</p>"),
    ],
)
def test_attributes_are_filtered_when_there_are_thousands(html: str, expected: str) -> None:
    """Only attributes that the sanitiser keeps may be written of a start tag with thousands."""
    many = " ".join(f"x{number}=1" for number in range(5000))
    document = document_keeping(html.replace("{}", many))
    assert expected == write_fragment(document, WriteOptions()).markup.decode()


def test_only_allowed_attributes_stay_when_a_tag_is_formatted() -> None:
    """Attributes must be those of clean HTML, escaped, and never the page's own id."""
    page = parse("<body><li id=a class=b lang='&quot;' value=3>c")
    row = int(page.parent[page.leaves[0]])
    assert '<li lang="&quot;" value="3">' == format_start_tag(
        "li", keep_attributes(page, row, "li")
    )
