"""Resolution of links, and links that a selection leaves out."""

from __future__ import annotations

from urllib.parse import urljoin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher import Selection
from thresher.analysis.links import Link, find_base, removed_links, resolve_link
from thresher.page.parse import parse

HTML = (
    "<nav><a href='/'>Home</a> <a href='news?x=1'>All<br>the <b>news</b></a></nav>"
    "<p>The story has <a href='https://other.test/'>a link</a> in it.</p>"
)


def dropping(html: str, *tags: str, url: str | None = "https://site.test/a/b") -> Selection:
    """Drop what these tags hold, keep the rest."""
    page = parse(html, url=url)
    score, reason = np.zeros(len(page)), np.zeros(len(page), np.int64)
    keep = ~page.within(page.tagged(tags))
    return Selection.of_rows(page, "test", keep, score=score, reason_code=reason, reasons=("",))


def test_links_listed_when_their_block_is_dropped() -> None:
    """A removed link has its text, its absolute address and its block."""
    assert (
        Link("Home", "https://site.test/", 0),
        Link("All the news", "https://site.test/a/news?x=1", 0),
    ) == removed_links(dropping(HTML, "nav"))


def test_links_listed_when_only_they_are_dropped() -> None:
    """A link dropped from a kept block is a removed link too."""
    expected = ("Home", "All the news", "a link")
    assert expected == tuple(link.text for link in removed_links(dropping(HTML, "a")))


@pytest.mark.parametrize("method", thresher.ALGORITHMS)
def test_no_link_both_kept_and_removed_when_any_method_selects(method: str) -> None:
    """With any method, a link must be listed for either the selection or its complement."""
    selection = thresher.select(parse(HTML.replace("<br>", " ")), method)
    listed = removed_links(selection) + removed_links(~selection)
    assert ["Home", "All the news", "a link"] == [
        link.text for link in sorted(listed, key=lambda link: link.block)
    ]


@pytest.mark.parametrize(
    "link",
    [
        "<a href='#top'>top</a>",
        "<a href='javascript:go()'>go</a>",
        "<a href='mailto:a@b.test'>mail</a>",
        "<a href='http://[broken'>broken</a>",
        "<a name=x>anchor</a>",
        "<a href=''>empty</a>",
        "<a href=/x><img alt=x></a>",
        "<a href=/x> </a>",
    ],
)
def test_link_left_out_when_it_has_no_text_or_leads_nowhere(link: str) -> None:
    """Only links with text that lead to another page help to browse."""
    assert () == removed_links(dropping(f"<nav>{link}</nav>", "nav"))


@pytest.mark.parametrize(
    ("link", "text"),
    [
        ("<a href=x><img>both</a>", "both"),
        ("<a href=x><h3>Title</h3><p>teaser</p></a>", "Title teaser"),
        ("<a href=x>one<span>word</span></a>", "oneword"),
        ("<a href=x>a &amp;\n\n b</a>", "a & b"),
        ("<a href=x><math><mi>y</mi></math></a>", "y"),
    ],
)
def test_text_on_one_line_when_link_has_parts(link: str, text: str) -> None:
    """The text of a link is the shown text, with a space between blocks."""
    assert [text] == [link.text for link in removed_links(dropping(f"<nav>{link}</nav>", "nav"))]


def test_outermost_link_counts_when_links_nest() -> None:
    """A link inside a link is part of its text, so the list stays as short as the page."""
    html = "<nav>" + "<a href=x>t<table><td>" * 50 + "</nav>"
    assert 1 == len(removed_links(dropping(html, "nav")))


def test_address_stays_relative_when_the_page_has_none() -> None:
    """Without the page's address, a link is returned unchanged."""
    (link, _) = removed_links(dropping(HTML, "nav", url=None))
    assert "/" == link.url


@pytest.mark.parametrize(
    ("html", "url", "base"),
    [
        ("<p>x", "https://a.test/b/c", "https://a.test/b/c"),
        ("<base href=/d/>", "https://a.test/b/c", "https://a.test/d/"),
        ("<base target=x><base href=//e.test><base href=f>", "https://a.test", "https://e.test"),
        ("<base href=https://e.test/>", None, "https://e.test/"),
        ("<base href=/d/>", None, None),
        ("<p>x", None, None),
        ("<base href=//[>", "https://a.test/b", "https://a.test/b"),
        ("<base href=https://[>", "https://a.test/b", "https://a.test/b"),
        ("<base href=https://>", "https://a.test/b", "https://a.test/b"),
        ("<base href='https://e test/'>", "https://a.test/b", "https://a.test/b"),
        ("<base href=//e.test:port/><base href=/d/>", "https://a.test/b", "https://a.test/b"),
        ("<base href=javascript:x>", "https://a.test/b", "https://a.test/b"),
        ("<base href='java&#9;script:x'>", "https://a.test/b", "https://a.test/b"),
        ("<base href=data:,x>", "https://a.test/b", "https://a.test/b"),
        ("<base href=ftp://e.test/>", "https://a.test/b", None),
        ("<base href=https://[>", None, None),
    ],
)
def test_base_found_when_page_or_markup_names_it(
    html: str, url: str | None, base: str | None
) -> None:
    """Links start where browsers do: from the first `<base href>` if it is an address."""
    assert base == find_base(parse(html, url=url))


@pytest.mark.parametrize(
    ("target", "base", "address"),
    [
        (" x ", "https://a.test/b/", "https://a.test/b/x"),
        ("x", None, "x"),
        ("//[", "https://a.test/", "//["),
    ],
)
def test_link_resolved_when_it_can_be(target: str, base: str | None, address: str) -> None:
    """A link is made absolute if possible, else returned unchanged."""
    assert address == resolve_link(target, base)


BASES = [
    "https://a.test/b/c?d#e",
    "HTTP://u@a.test:80",
    "http:///x",
    "ftp://a.test/b",
    "//a.test/b",
]


@given(
    st.sampled_from(BASES),
    st.from_regex(r"(?:https?://[a-z.:@]{0,3}1?)?/?[a-z.,/;?#_&=é-]{0,12}", fullmatch=True),
)
def test_links_lead_where_the_standard_library_says(base: str, target: str) -> None:
    """The fast paths for plain paths and addresses must give the same address."""
    assert urljoin(base, target) == resolve_link(target, base)
