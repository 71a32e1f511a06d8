"""Runs of inline tokens as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

from thresher.writers.commonmark.inline import render_run
from thresher.writers.stream.events import (
    Box,
    Break,
    CodeSpan,
    FormulaText,
    InlineImage,
    LinkEnd,
    LinkStart,
    Reference,
    RunStart,
    Token,
)
from thresher.writers.stream.markup import STRONG

LINK: Final = LinkStart("/b", "")
END: Final = LinkEnd()
BREAK: Final = Break(is_soft=False)

CASES: Final[dict[str, tuple[Sequence[Token], str]]] = {
    "white space": ([" a \n b\tc "], "a b c"),
    "wide space inside": (["a\u00a0b"], "a\u00a0b"),
    "wide space at the edges": (["\u00a0a\u2003"], "a"),
    "wide space after a break": (["a", BREAK, "\u00a0b"], "a  \nb"),
    "signs": ([r"a*b_ c[d(e~f`g\h"], r"a\*b\_ c\[d(e\~f\`g\\h"),
    "a name with underscores": (["a_b _c d__e"], r"a_b \_c d\_\_e"),
    "an asterisk between spaces": (["2 * 3 *", BREAK, "* 4"], "2 * 3 \\*  \n\\* 4"),
    "brackets": (["[a] b [1], [c][d]"], "[a] b [1], [c][d]"),
    "brackets that could be a link": (["[a](b) [c]: d"], r"\[a&#93;(b) \[c\]: d"),
    "brackets that could be a note": (["[^a] [!NOTE]"], r"\[^a\] \[!NOTE\]"),
    "brackets that could be boxes": (["[x] [ ] [X] []"], r"\[x\] \[ \] \[X\] \[\]"),
    "brackets in brackets": (["[[a]] b] [c"], r"\[\[a\]\] b\] \[c"),
    "brackets before emphasis": ([f"[a]{STRONG[0]}(b){STRONG[1]}"], r"\[a&#93;**(b)**"),
    "brackets before a link": (["[a]", LINK, "[b]", END], r"[a][\[b\]](/b)"),
    "a tag, and none": (["<b> a < b"], "&lt;b> a < b"),
    "a number": (["p<0.05, <3 kg, <= 4; <5@a.b>, <6"], "p<0.05, <3 kg, <= 4; &lt;5@a.b>, &lt;6"),
    "a character reference, and none": (["&amp; & b & c; &d;"], "&amp;amp; & b & c; &d;"),
    "braces": (["{a} {: b=c} {{d}} {e"], r"{a} \{: b=c} {{d}} \{e"),
    "a heading": (["# a"], r"\# a"),
    "a word with a hash": (["#a"], "#a"),
    "a list": (["1. a"], r"1\. a"),
    "a list after a break": (["a", BREAK, "- b"], "a  \n\\- b"),
    "a decimal number": (["10.9 s"], "10.9 s"),
    "a negative number": (["-5"], "-5"),
    "an underline": (["=== a"], r"\=== a"),
    "breaks": (["a", BREAK, BREAK, "b", BREAK], "a  \n\\\nb"),
    "a break at the start": ([BREAK, "a"], "\\\na"),
    "a link": (["a ", LINK, "b", END, " c"], "a [b](/b) c"),
    "a link with spaces": (["a", LINK, " b ", END, "c"], "a [b](/b) c"),
    "a link after a break": (["a", BREAK, LINK, " b", END], "a  \n[b](/b)"),
    "a link with wide spaces": (["a", LINK, "\u00a0b", END, "c"], "a [b](/b)c"),
    "a link after an exclamation mark": (["a!", LINK, "b", END], r"a\![b](/b)"),
    "a title": ([LinkStart("/b", "c &lt;"), "a", END], '[a](/b "c &amp;lt;")'),
    "a title with quotation marks": ([LinkStart("/b", '"c"'), "a", END], """[a](/b '"c"')"""),
    "a title with both": (
        [LinkStart("/b", """d's "c\""""), "a", END],
        '[a](/b "d\'s &quot;c&quot;")',
    ),
    "an address": ([LinkStart("http://a/", ""), "http://a/", END], "<http://a/>"),
    "an address in parts": ([LinkStart("http://a/", ""), "http:", "//a/", END], "<http://a/>"),
    "parentheses": ([LinkStart("/a(b)", ""), "a", END], "[a](/a(b))"),
    "a lone parenthesis": ([LinkStart("/a)b", ""), "a", END], "[a](/a&#41;b)"),
    "parentheses the wrong way": ([LinkStart("/a)b(", ""), "a", END], "[a](/a&#41;b&#40;)"),
    "code": (["a", CodeSpan(" b\n c "), "d"], "a `b c` d"),
    "aligned code": ([CodeSpan("b \xa0\xa0 c\xa0d\n\xa0")], "`b \xa0\xa0 c d`"),
    "code with backticks": ([CodeSpan("`a``")], "``` `a`` ```"),
    "code beside code": (
        ["`\\", CodeSpan("<a>"), CodeSpan("`")],
        "&#96;&#92;`<a>`<code>&#96;</code>",
    ),
    "code behind an address": (["a http://a.b/", CodeSpan("c")], "a http&#58;//a.b/`c`"),
    "a link behind an address": (["www.a.b", LINK, "c", END], "www&#46;a.b[c](/b)"),
    "text behind an address": (["http://a.b/<c> ", CodeSpan("d")], "http://a.b/&lt;c> `d`"),
    "an address that would be a handler": (
        [LinkStart("http://a/onx=b", ""), "http://a/onx=b", END],
        "[http://a/onx=b](http://a/onx=b)",
    ),
    "an image": ([InlineImage("/a", "b_]c", "d")], r'![b\_\]c](/a "d")'),
    "a formula": (["a ", FormulaText("x <\n y", is_display=False)], r"a $x < y$"),
    "a formula like markup": (
        [FormulaText("` [x] (y) {z}", is_display=False)],
        r"$\lq  [x]{}(y){z}$",
    ),
    "a display formula": ([FormulaText("x", is_display=True)], "$$x$$"),
    "a note": (["a", Reference("1"), "."], "a[^1]."),
    "a task": ([Box(is_checked=True), "a"], "[x] a"),
    "a superscript": (["a", "\U0004ffff", "b", "\U0005fffe"], "a<sup>b</sup>"),
    "the start of a run": ([RunStart(), "# a"], r"!\# a"),
}


@pytest.mark.parametrize(("tokens", "expected"), CASES.values(), ids=list(CASES))
def test_run_is_escaped_where_markdown_would_read_it_otherwise(
    tokens: Sequence[Token], expected: str
) -> None:
    """Signs must be escaped where they would be markup, and nowhere else."""
    assert expected == render_run(tokens, mark="!")


def test_breaks_are_spaces_when_in_a_heading() -> None:
    """A heading must be one line."""
    assert "a b" == render_run(["a", BREAK, "b"], in_heading=True)
    assert "a b" == render_run(["a\u00a0b"], in_heading=True)


def test_bars_are_escaped_when_in_a_cell() -> None:
    """A bar must not end the cell, whatever it is part of."""
    link: list[Token] = [LinkStart("/e|f", ""), "g", END, InlineImage("/h|i", "j|k", "")]
    tokens: list[Token] = ["a|b", BREAK, CodeSpan("c|d"), *link]
    expected = r"a\|b<br>`c\|d`[g](/e\|f)![j\|k](/h\|i)"
    assert expected == render_run(tokens, in_cell=True)
    assert "# a" == render_run(["# a"], in_cell=True)
