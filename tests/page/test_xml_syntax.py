"""Elements of text that are closed as in XML do not swallow the page; HTML is read as ever."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.helpers.trees import soups
from thresher.analysis.structured import read_meta
from thresher.page.canonical import canonicalise
from thresher.page.parse import parse
from thresher.page.xml_syntax import close_empty

NAMES = ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")
XHTML = '<html xmlns="http://www.w3.org/1999/xhtml">'

CLOSED = {
    **{f"{name} that never ends": f'<p>a</p><{name} src="b"/><p>word' for name in NAMES},
    "in capitals": "<p>a</p><SCRIPT /><p>word",
    "XHTML": f"{XHTML}<p>a</p><script src='b'/><p>word<script>c</script>",
    "XML": "<?xml version='1.0'?><html><head><title/></head><script/><p>word<title>c</title>",
    "one behind another": f"{XHTML}<script src=a /><script/><iframe/><p>word<script></script>",
    "a value with a >": f"{XHTML}<script data-a='>' b=\"/>\" /><p>word<script>c</script>",
    "behind a script": f"{XHTML}<script>'<style/>'</script><style/><p>word<style></style>",
}
"""Pages whose word is text."""
OPEN = {
    "ends later": "<p>a</p><script/><p>word</p></script>",
    "ends at once": f"{XHTML}<script/></script><p>b",
    "ends before another": f"{XHTML}<style type='a' />p {{}}</style><p>b<style>c</style>",
    "a slash in a value": f"{XHTML}<script src=a/><p>word</p></script>",
    "in a comment": f"{XHTML}<!-- <script/> --><p>b",
    "in a comment at once": f"{XHTML}<!--><!-- <script/> --><p>b",
    "in a script": f"{XHTML}<script>'<script/>'</script><p>b",
    "in a value": f"{XHTML}<p title='<script/>'>b",
    "cut off": f"{XHTML}<p>b<script /",
    "another element": f"{XHTML}<p/>b<div/><i/>c",
    "a longer name": f"{XHTML}<script-x/><p>b",
}
"""Pages that are read as they are."""


@pytest.mark.parametrize("html", CLOSED.values(), ids=CLOSED)
def test_what_is_closed_as_in_xml_swallows_nothing(html: str) -> None:
    """With the compiled step and without, the word is text, and lies where it is in the source."""
    word = thresher.extract(html, method="keep_all").blocks[-1]
    assert "word" == word.text
    assert word.source is not None
    assert html[word.source.start : word.source.stop].startswith("word")
    written = canonicalise(html.encode())
    assert written == canonicalise.definition(html.encode())


@pytest.mark.parametrize("html", OPEN.values(), ids=OPEN)
def test_html_is_read_as_it_is(html: str) -> None:
    """An end tag that comes, or what only looks like such an element, leaves HTML's rules."""
    assert html == close_empty(html).html


@pytest.mark.parametrize("char", list("\v\x1f\x85\xa0"), ids=ascii)
def test_only_white_space_of_html_ends_names_and_values(char: str) -> None:
    """Other spaces and control characters belong to them, so that the elements are not closed."""
    in_name, in_value = f"<p>b<script{char}/><a>", f"<p>b<noframes class=0{char}/><a>"
    assert [in_name, in_value] == [close_empty(in_name).html, close_empty(in_value).html]
    assert canonicalise(in_value.encode()) == canonicalise.definition(in_value.encode())


def test_all_readers_of_a_page_close_the_same() -> None:
    """Metadata and the page without its boilerplate are of the same elements."""
    html = f"{XHTML}<head><style/><title>Harvest</title><meta name='a' content='b'/></head><p>word"
    page = parse(html)
    assert read_meta(page)["a"] == ["b"]
    assert "word" in thresher.extract(html, method="keep_all").write("inplace")


@given(soups(), st.lists(st.sampled_from(NAMES), max_size=4), st.booleans())
def test_offsets_are_those_of_the_source(html: str, names: list[str], is_xml: bool) -> None:
    """Offsets in any tag soup must map back in order, and kept characters to themselves."""
    html = (XHTML if is_xml else "") + html + "".join(f"<{name}/>x" for name in names)
    closed = close_empty(html)
    assert closed == close_empty(html)
    assert closed.html == close_empty(closed.html).html
    back = closed.undo(np.arange(len(closed.html) + 1))
    assert (np.diff(back) >= 0).all()
    assert (0, len(html)) == (back[0], back[-1])
    kept = np.flatnonzero(np.diff(back) == 1)
    assert "".join(html[back[at]] for at in kept) == html


def test_many_are_closed() -> None:
    """The end tag that never comes is looked for once: twice would run into the time limit."""
    assert 50_000 == len(close_empty(XHTML + "<script/>w" * 50_000).at)
