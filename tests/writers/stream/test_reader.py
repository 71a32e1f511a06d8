"""Fragments read as events."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given

from tests.helpers.trees import soups
from thresher.writers.shared.note_marks import note_id, reference_id
from thresher.writers.stream.arranging import extract_notes
from thresher.writers.stream.events import (
    Box,
    Break,
    Cell,
    Close,
    CodeSpan,
    Event,
    FormulaText,
    Grid,
    InlineImage,
    LinkEnd,
    LinkStart,
    Open,
    Preformatted,
    Reference,
    Rule,
    Run,
    RunStart,
    Token,
)
from thresher.writers.stream.markup import DOLLAR, EMPHASIS, STRONG
from thresher.writers.stream.reader import read_events

TEX: Final = (
    '<math display="block"><semantics><annotation encoding="application/x-tex">x</annotation>'
    "</semantics></math>"
)
RUNS: Final[dict[str, tuple[str, list[Token]]]] = {
    "text": ("a &amp; b", ["a & b"]),
    "unknown elements": ("<x-y>a</x-y><u>b</u>", ["a", "b"]),
    "emphasis": ("<b>a</b>", ["", STRONG[0], "a", STRONG[1]]),
    "spaces in emphasis": ("a<i> b </i>c", ["a", " ", EMPHASIS[0], "b", EMPHASIS[1], " ", "c"]),
    "spaces in emphasised code": (
        "<b><code>a </code></b>b",
        ["", STRONG[0], CodeSpan("a"), STRONG[1], " ", "b"],
    ),
    "emphasis with an empty end": (
        "<b>a <i></i></b>b",
        ["", STRONG[0], "a", "", "", STRONG[1], " ", "b"],
    ),
    "emphasis of nothing": ("a<b> </b>c", ["a", " ", "", "", "c"]),
    "a link": ('<a href="/b" title="a  b">c</a>', [LinkStart("/b", "a b"), "c", LinkEnd()]),
    "a link in a link": (
        '<a href="/b">c<a href="/d">e</a>f</a>',
        [LinkStart("/b", ""), "c", LinkEnd(), LinkStart("/d", ""), "e", LinkEnd(), "f"],
    ),
    "a title that ends like an address": (
        '<a title="b href=" href="/c">d</a>',
        [LinkStart("/c", "b href="), "d", LinkEnd()],
    ),
    "a title that repeats": ('<a href="/b" title="c">c</a>', [LinkStart("/b", ""), "c", LinkEnd()]),
    "an unsafe link": ('<a href="javascript:a()">b</a>', ["b"]),
    "a link without address": ("<a>b</a>", ["b"]),
    "code": ("<code>a<b>b</b></code>", [CodeSpan("ab")]),
    "code beside code": ("<code>a</code><kbd>b</kbd>", [CodeSpan("ab")]),
    "code with a link": (
        '<code>a<a href="/b">c</a></code>',
        [CodeSpan("a"), LinkStart("/b", ""), CodeSpan("c"), LinkEnd()],
    ),
    "a script in code": ("<code>a<sup>2</sup></code>", [CodeSpan("a²")]),
    "a quotation": ("<q>a</q>", ["", "“", "a", "”"]),
    "a reading": ("<ruby>a<rt>b</rt></ruby>", ["a", "", "(", "b", ")"]),
    "an image": ('<img src="/a" alt="b\n c">', [InlineImage("/a", "b c", "")]),
    "a break": ("a<br>b", ["a", Break(is_soft=False), "b"]),
    "a formula": (TEX, [FormulaText("x", is_display=True)]),
    "a dollar sign": ("a $", [f"a {DOLLAR}"]),
    "a soft hyphen": ("a\u00adb", ["ab"]),
    "a script": ("a<script>b<style>c</style></script>d", ["a", "d"]),
    "a reference": (f'a[<a id="{reference_id("1")}">x</a>]', ["a", Reference("1"), ""]),
    "elements that never end": ("<b>a", ["", STRONG[0], "a", STRONG[1]]),
    "ends of nothing": ("</b>a</a>", ["a"]),
}


@pytest.mark.parametrize(("markup", "expected"), RUNS.values(), ids=list(RUNS))
def test_inline_elements_become_tokens(markup: str, expected: list[Token]) -> None:
    """The tokens of a run must say what its elements mean, and nothing unsafe."""
    assert [Run(expected)] == read_events(markup, None)


EVENTS: Final[dict[str, tuple[str, list[Event]]]] = {
    "paragraphs": ("<p>a</p> <div>b</div>c", [Run(["a"]), Run(["b"]), Run(["c"])]),
    "empty blocks": ("<p> </p><div></div>", []),
    "a heading": ("<h2>a</h2>", [Open("h2", {}), Run(["a"]), Close("h2")]),
    "a numbered list": (
        '<ol start="3"><li value="4">a</li></ol>',
        [
            Open("ol", {"start": "3"}),
            Open("li", {"value": "4"}),
            Run(["a"]),
            Close("li"),
            Close("ol"),
        ],
    ),
    "a menu": ("<menu></menu>", [Open("ul", {}), Close("ul")]),
    "code": (
        '<pre><code class="language-c">a &lt;\n</code></pre>',
        [Preformatted("c", "a <\n", 0)],
    ),
    "a rule": ("a<hr>b", [Run(["a"]), Rule(), Run(["b"])]),
    "a task": (
        '<li><input checked=""><p>a</p></li>',
        [Open("li", {}), Run([Box(is_checked=True), "a"]), Close("li")],
    ),
    "a table": (
        '<table><caption>a</caption><tr><td colspan="2" align="LEFT">b</td></tr></table>',
        [
            Open("caption", {}),
            Run(["a"]),
            Close("caption"),
            Grid([[Cell(["b"], n_column=2, alignment="left")]]),
        ],
    ),
}


@pytest.mark.parametrize(("markup", "expected"), EVENTS.values(), ids=list(EVENTS))
def test_blocks_become_events(markup: str, expected: list[Event]) -> None:
    """Blocks must open and close in order, and each paragraph's worth of text must be a run."""
    assert expected == read_events(markup, None)


def test_starts_of_runs_belong_to_what_follows() -> None:
    """A mark must become a token of the run, the code or the cell behind it."""
    marked = "!<p>a</p>!<pre>b</pre><table><tr><td>!c</td></tr></table>"
    run, code, table = read_events(marked, None, mark="!")
    assert Run([RunStart(), "a"]) == run
    assert Preformatted("", "b", 1) == code
    assert Grid([[Cell([RunStart(), "c"])]]) == table


def test_addresses_are_resolved() -> None:
    """Links and images must be absolute if the page's address is known, without tracking."""
    (run,) = read_events('<a href="b?utm_source=c">d</a><img src="e">', "https://a.example/")
    assert isinstance(run, Run)
    expected = LinkStart("https://a.example/b", ""), InlineImage("https://a.example/e", "", "")
    assert expected == (run.tokens[0], run.tokens[-1])


def test_notes_are_taken_out() -> None:
    """Notes must leave nothing behind, not even the list that held them."""
    markup = f'<p>a</p><hr><ol><li id="{note_id("1", "*")}">* b</li></ol>'
    content, notes = extract_notes(read_events(markup, None))
    assert [Run(["a"])] == content
    assert {"1": [Run(["b"])]} == notes


@given(soups())
def test_blocks_are_closed_in_order(markup: str) -> None:
    """Blocks of any markup must be closed exactly once, inner ones first."""
    opened: list[str] = []
    for event in read_events(markup, None, mark="!"):
        if isinstance(event, Open):
            opened.append(event.tag)
        elif isinstance(event, Close):
            assert event.tag == opened.pop()
    assert not opened
