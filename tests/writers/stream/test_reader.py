"""Fragments read as events."""

from __future__ import annotations

from html import escape
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import soups
from thresher.writers.shared.note_marks import note_id, reference_id
from thresher.writers.stream.arranging import extract_notes
from thresher.writers.stream.events import (
    Cell,
    Close,
    CodeSpan,
    Grid,
    InlineImage,
    LinkEnd,
    LinkStart,
    Open,
    Preformatted,
    Reference,
    Run,
    RunStart,
    Token,
)
from thresher.writers.stream.markup import (
    ANY_MARK,
    DOLLAR,
    STRONG,
    clean_link_url,
    clean_url,
    drop_marks,
    read_attributes,
    read_markup,
)
from thresher.writers.stream.reader import read_events

RUNS: Final[dict[str, tuple[str, list[Token]]]] = {
    "unknown elements": ("<x-y>a</x-y><u>b</u>", ["a", "b"]),
    "spaces in emphasised code": (
        "<b><code>a </code></b>b",
        ["", STRONG[0], CodeSpan("a"), STRONG[1], " ", "b"],
    ),
    "emphasis with an empty end": (
        "<b>a <i></i></b>b",
        ["", STRONG[0], "a", "", "", STRONG[1], " ", "b"],
    ),
    "a link": ('<a href="/b" title="a  b">c</a>', [LinkStart("/b", "a b"), "c", LinkEnd()]),
    "a link in a link": (
        '<a href="/b">c<a href="/d">e</a>f</a>',
        [LinkStart("/b", ""), "c", LinkEnd(), LinkStart("/d", ""), "e", LinkEnd(), "f"],
    ),
    "a title that ends like an address": (
        '<a title="b href=" href="/c">d</a>',
        [LinkStart("/c", "b href="), "d", LinkEnd()],
    ),
    "a title that repeats in another case": (
        '<a href="/b" title="A bé">a Bé</a>',
        [LinkStart("/b", ""), "a Bé", LinkEnd()],
    ),
    "a title with another letter": (
        '<a href="/b" title="a BÉ">a bé</a>',
        [LinkStart("/b", "a BÉ"), "a bé", LinkEnd()],
    ),
    "a title that repeats": ('<a href="/b" title="c">c</a>', [LinkStart("/b", ""), "c", LinkEnd()]),
    "an unsafe link": ('<a href="javascript:a()">b</a>', ["b"]),
    "a link without address": ("<a>b</a>", ["b"]),
    "code beside code": ("<code>a</code><kbd>b</kbd>", [CodeSpan("ab")]),
    "a dollar sign": ("a $", [f"a {DOLLAR}"]),
    "a script": ("a<script>b<style>c</style></script>d", ["a", "d"]),
    "a reference": (f'a[<a id="{reference_id("1")}">x</a>]', ["a", Reference("1"), ""]),
    "elements that never end": ("<b>a", ["", STRONG[0], "a", STRONG[1]]),
    "ends of nothing": ("</b>a</a>", ["a"]),
}


@pytest.mark.parametrize(("markup", "expected"), RUNS.values(), ids=list(RUNS))
def test_inline_elements_become_tokens(markup: str, expected: list[Token]) -> None:
    """The tokens of a run must say what its elements mean, and nothing unsafe."""
    assert [Run(expected)] == read_events(markup, None)


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


BASE = "https://a.example/b/"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("c", f"{BASE}c"),
        ("//c.example", "https://c.example"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("HTTP://c.example/", "HTTP://c.example/"),
        ("ftp://c.example/d/", "ftp://c.example/d/"),
        ("ircs://c.example/d", "ircs://c.example/d"),
        ("file:///c", None),
        ("javascript:a()", None),
        ("java\tscript:a()", None),
        ("\x01javascript:a()", None),
        (" \x01 javascript:a()", None),
        ("data:text/html,a", None),
        ("vbscript:a", None),
        ('c"d e', f"{BASE}c%22d%20e"),
        ("http://[a", "http://[a"),
    ],
)
def test_only_safe_addresses_stay(url: str, expected: str | None) -> None:
    """Addresses that run scripts must go, however they are hidden; others must be absolute."""
    assert expected == clean_url(url, BASE)
    assert expected == clean_link_url(url, BASE, tracking=True)


def test_tracking_goes_unless_asked_for() -> None:
    """Parameters that count clicks must be removed from links."""
    url = "https://c.example/?utm_source=a"
    assert clean_link_url(url, None, tracking=False) == "https://c.example/"
    assert clean_link_url(url, None, tracking=True) == url


@pytest.mark.parametrize("url", ["javascript&colon;a", "&Tab;javascript:a", "java\\script:a"])
def test_a_relative_address_stays_one_when_it_is_unescaped_again(url: str) -> None:
    """A reader that unescapes once too often must find no scheme in it."""
    assert f"./{url}" == clean_link_url(url, None, tracking=True)
    assert f"{BASE}c&d" == clean_link_url("c&d", BASE, tracking=True)
    assert "c?d&e" == clean_link_url("c?d&e", None, tracking=True)


def test_marks_are_dropped_when_a_text_has_them() -> None:
    """A text must lose all marks, and nothing else."""
    assert "a\ufddfb".encode() == drop_marks("a\ufdd0\ufdd3\ufddfb".encode())


@pytest.mark.parametrize("mark", ANY_MARK)
def test_each_mark_is_dropped_when_it_stands_alone(mark: str) -> None:
    """Every mark must be removed, whatever its bytes and its neighbours."""
    assert b"b" == drop_marks(f"{mark}b".encode())


NAMES: Final = st.from_regex(r"""=?[ab"'<:,]+""", fullmatch=True)
"""Names that attributes can have (HTML Living Standard, 13.2.5.33)."""
VALUES: Final = st.text(st.sampled_from("ab\"'<>=/ &"))


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_attributes_are_as_given_when_read(given: dict[str, str]) -> None:
    """Whatever the names and values, a tag must end where it does and have these attributes."""
    attributes = " ".join(f'{name}="{escape(value)}"' for name, value in given.items())
    tag, *others = read_markup(f"<p {attributes}>a</p>")
    assert [("", "a"), ("/p", "")] == others
    assert given == read_attributes(tag[1])
