"""Fragments are cut from the page, with notes and emphasis, and are clean."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.compiled_steps import needs_steps, without_compiled_steps
from tests.helpers.data import cases
from tests.helpers.fixture_pages import document_keeping
from thresher import WriteOptions
from thresher.page.parse import parse
from thresher.writers.fragment.clean import clean_fragment, rewrite_addresses, tidy
from thresher.writers.fragment.fragment import write_fragment
from thresher.writers.fragment.slices import format_start_tag, keep_attributes
from thresher.writers.shared.note_marks import is_mark, note_id, strip_mark


@cases(__file__, "cut")
def test_fragment_is_as_expected_when_cut(html: str, drop: list[str] | None, expected: str) -> None:
    """Each case must be written as its table says."""
    document = document_keeping(html, drop=drop or ())
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


def test_notes_are_separated_when_they_share_a_paragraph() -> None:
    """Each note between two anchors must get an element of its own."""
    html = document_keeping(
        "<p>a<sup><a href=#x>1</a></sup> b<sup><a href=#y>2</a></sup></p>"
        "<div><a name=x></a>c d<br><br><a name=y></a>e f</div>"
    ).html
    assert '<div id="fn-1">\n<p>c d</p>\n</div>\n<div id="fn-2">\n<p>e f</p>\n</div>' in html


@pytest.mark.parametrize(
    ("text", "mark", "expected"),
    [
        ("1. a", "1", "a"),
        ("[1] a", "1", "a"),
        ("1 a", "1", "1 a"),
        ("10. a", "1", "10. a"),
        ("* a", "*", "a"),
        ("] a", "1", "a"),
        ("1.5 a", "1", "1.5 a"),
    ],
)
def test_mark_is_stripped_when_a_note_repeats_it(text: str, mark: str, expected: str) -> None:
    """A note must not have its number twice, nor lose a number that is not its own."""
    assert expected == strip_mark(text, mark)


def test_ids_of_pages_are_not_marks() -> None:
    """Only ids that this module made must count."""
    assert is_mark(note_id("1", "*"))
    assert not is_mark("fn-1")


def test_tags_nest_when_emphasis_and_links_cross_paragraphs() -> None:
    """Elements must end in the opposite order of their beginnings."""
    written = document_keeping("<b><i><a href=/x><p>a</p><p>b</p></a></i></b>").html
    assert '<a href="https://site.example/x"><b><i>a</i></b></a>' in written


@cases(__file__, "direction")
def test_direction_is_set_once_when_the_page_sets_it(html: str, expected: int) -> None:
    """A direction must be in the HTML once, unless no element can carry it."""
    assert expected == document_keeping(html).html.count('dir="rtl"')


@needs_steps
@cases(__file__, "fragments")
def test_fragment_is_clean_when_cleaned(fragment: str, expected: str) -> None:
    """Each case must be cleaned as its table says."""
    assert expected == clean_fragment(fragment.encode(), "https://a.example/").inner_html


@needs_steps
def test_relative_links_stay_when_no_base_is_known() -> None:
    """Without a base a relative link is more useful than none."""
    assert '<a href="/b">a</a>' == clean_fragment(b'<a href="/b">a</a>', None).inner_html


_TAGS: Final = (
    "a abbr b blockquote br code dd div dl em h2 hr img input ins li math ol p pre q script span"
    " strike svg table tbody td th time title tr tt ul x-y"
).split()
_ATTRIBUTES: Final = (
    "align alt cite class data-x datetime dir height href id lang onclick rel scope src start style"
    ' title type value (x) [y] @z x" =y é Title'
).split(" ")
_VALUES: Final = (
    *("//site.example/x", "//site.example", "//-a/", "///", "/é/b", "/é", "/b\u3000", "\u3000/b"),
    *("https://site.example/é.html", "https://é.example/a", "/\u2028b", "mailto:é@b"),
    *("mailto:", "mailto:a@b?subject=c", "tel:", "tel:+1-2;ext=3", "mailto:javascript:x"),
    *("", "x", " y\n", "left", "CENTER", "text-align: right", "language-c", "a&amp;b", "&quot;"),
    *("é", "\ufdd0", note_id("1", "1"), "javascript:x()", "java&#10;script:x", "vbscript:y"),
    *("/a/b", "a/b.html?c=1&amp;utm_source=d#e", "#f", "?g", "//site.example/", "a:b", "data:,x"),
    *("https://site.example", "http://site.example:80/x", "HTTPS://SITE.EXAMPLE/", "https:/x"),
    *("https://[::1]/", "https://[/", "https://1.2.3.4/", "https://999.0.0.1/", "https://a..b/"),
    *("https://xn--a/", "https://user@site.example/", "https://site.example/a b`c", "mailto:x@y"),
    *("https://site.example/\\x", "https://site.example?x", "tel:1", "&nbsp;/x", "/x&lt;y"),
)
_MARKUP: Final = st.builds(
    lambda name, attributes: (
        f"<{name}{''.join(f' {key}={QUOTE}{value}{QUOTE}' for key, value in attributes)}>"
    ),
    st.sampled_from(_TAGS),
    st.lists(st.tuples(st.sampled_from(_ATTRIBUTES), st.sampled_from(_VALUES)), max_size=4),
)
QUOTE: Final = '"'
_ENDS: Final = st.sampled_from([f"</{name}>" for name in _TAGS])
_TEXTS: Final = st.sampled_from(["x", "y z", "&lt;b&gt;", '"', "é", "\n", "<", "<!-- x -->"])
FRAGMENTS: Final = st.lists(_MARKUP | _ENDS | _TEXTS, max_size=12).map("".join)
BASES: Final = (None, "https://site.example/a/b?c=d", "https://site.example/", "http://a`b/", "x")


@needs_steps
@given(FRAGMENTS, st.sampled_from(BASES))
def test_fragments_are_cleaned_alike_when_tidied(fragment: str, base: str | None) -> None:
    """The cleaned fragment must not depend on what was dropped before."""
    mine = clean_fragment(fragment.encode(), base)
    with without_compiled_steps():
        theirs = clean_fragment(fragment.encode(), base)
    assert theirs.inner_html == mine.inner_html
    assert theirs.tag == mine.tag


@needs_steps
@cases(__file__, "attributes")
def test_attributes_go_when_no_element_may_have_them(fragment: str, expected: str) -> None:
    """A fragment must lose attributes its elements cannot have, unless it has unknown elements."""
    assert expected == tidy(fragment.encode())


@needs_steps
def test_every_kind_of_address() -> None:
    """Links, pictures, candidates and posters are replaced; texts that look like one are not."""
    html = (
        '<a href="/a?b&amp;c">/a</a><img src="/a" srcset="/a 1x, /b 2x"><video poster="/c"></video>'
        '<code>&lt;img src="/a"&gt;</code>'
    )
    expected = (
        '<a href="x/a?b&amp;c">/a</a><img src="x/a" srcset="x/a 1x, x/b 2x">'
        '<video poster="x/c"></video><code>&lt;img src="/a"&gt;</code>'
    )
    assert expected == rewrite_addresses(html, lambda url: f"x{url}")
