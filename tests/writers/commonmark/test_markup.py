"""Markup becomes the same Markdown with the compiled step and without."""

from __future__ import annotations

from html import escape
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.compiled_steps import needs_steps
from tests.helpers.data import cases
from thresher.native import REFUSALS
from thresher.writers.markdown import render_markup

BASE: Final = "https://example.org/a/"
NAME: Final = "thresher.writers.markdown.render_markup"
TEXTS: Final = (
    *("word", "two words", " ", "\n  ", "\u00a0", "\u3000", "\x1c", "\x0b", "\u00ad", "é", "漢字"),
    *("“", "”", "。", "（", "’s", "1.", "12) ", "# ", "- ", "+x", "> ", "=", "*", "_", "[", "]"),
    *("!", "`", "~", "\\", "&amp;", "&lt;", "&amp;copy;", "&quot;", "&#x27;", "$", "$5 ", "$$"),
    *(": x", "½", "٣", "\U0001f600", "\U0001f1e6", "\u0300", "\u0378", "\ufdd6", "https://a.b/c"),
    *"{ } {a= ]( www. WW w. :// : / &lt;=1, 5@b.c> \\`".split(),
    "&lt;5 ",
)
URLS: Final = (
    "",
    *"https://a.b/c b?x=1&y=2 #n javascript:x http://a.b/(c https://a.b/$".split(),
    *"https://a.b/onx=1 HTTP://a.b/[c](d) tel:1 b&colon;c\\d".split(),
)
TAGS: Final = (
    *("p", "div", "h2", "ul", "ol", "ol start=7", "li", "blockquote", "figcaption", "span"),
    *("b", "strong", "em", "i", "a", "code", "sup", "del", "q"),
    *("table", "tr", "td", "th", "caption", "pre", "dl", "dt", "dd", "summary"),
    *('blockquote data-callout="note"', 'blockquote data-callout="tip" data-titled=""'),
)


def _format_tag(drawn: tuple[str, str, str]) -> str:
    tag, url, title = drawn
    if tag == "a":
        return f'<a href="{escape(url)}" title="{title}">'
    return f"<{tag}>".replace("=7", '="7"')


_TITLES: Final = st.sampled_from(TEXTS)
_PIECES: Final = st.one_of(
    st.sampled_from(TEXTS),
    st.tuples(st.sampled_from(TAGS), st.sampled_from(URLS), _TITLES).map(_format_tag),
    st.sampled_from(TAGS).map(lambda tag: f"</{tag.partition(' ')[0]}>"),
    st.sampled_from(("<br>", "<hr>", "<br>\n", "<sub>", "<pre>", "<table>", "<input checked>")),
    st.sampled_from(("<table><tr><td>a</td><td>", "</td></tr></table>", "<dl><dt>", "</dd></dl>")),
    st.sampled_from(("<code>x</code>", "<pre>y\nz</pre>", "<sub>2</sub>", "</dt><dd>", "<svg>")),
    st.tuples(st.sampled_from(URLS), _TITLES).map(
        lambda drawn: f'<img src="{escape(drawn[0])}" alt="{drawn[1]}">'
    ),
)


@needs_steps
@given(st.lists(_PIECES, max_size=30).map("".join))
def test_the_step_equals_the_definition(markup: str) -> None:
    """On any sequence of tags and texts, well nested or not."""
    utf8 = markup.encode()
    expected = render_markup.definition(utf8, BASE, tracking=False)
    assert expected == render_markup(utf8, BASE, tracking=False)


@needs_steps
@cases(__file__, "common")
def test_most_markup_is_written_by_the_step(markup: str, expected: str) -> None:
    """Neither common elements are refused, nor parts with rare ones that can stand alone."""
    before = REFUSALS[NAME]
    assert expected == render_markup(markup.encode(), BASE, tracking=False)
    assert before == REFUSALS[NAME]


@needs_steps
@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><td>1</table>",
        "<dl><dt>a</dt><dd><ul><li>b</li></ul></dd></dl>",
        "<ul><li><input checked><p>a</p></li></ul>",
        "<ul><summary><li>a</li></summary></ul>",
        "<summary><table><tr><td>1</td></tr></table></summary>",
        '<ul><li><blockquote data-callout="note">a</blockquote></li></ul>',
        '<blockquote data-callout="note"><ul><li>a</li></ul></blockquote>',
        '<blockquote data-callout="note"></blockquote>',
        '<ol><li value="4">a</li></ol>',
        "<ul><ul><li>a</li></ul></ul>",
        "<p>&eacute;</p>",
        "<p>a <b =x></p>",
        "<ul><li>" * 40 + "deep",
        "<b>" * 40 + "deep",
    ],
)
def test_rare_markup_is_left_to_the_definition(markup: str) -> None:
    """It is written all the same."""
    utf8, before = markup.encode(), REFUSALS[NAME]
    expected = render_markup.definition(utf8, BASE, tracking=False)
    assert expected == render_markup(utf8, BASE, tracking=False)
    assert before + 1 == REFUSALS[NAME]
