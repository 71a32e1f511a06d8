"""Links that a selection leaves out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.helpers.compiled_steps import needs_steps, without_compiled_steps
from tests.helpers.data import cases
from thresher import Selection
from thresher.algorithms import MethodName
from thresher.analysis.links import find_target
from thresher.analysis.removed_links import (
    Addresses,
    AddressKind,
    Link,
    RemovedLinks,
    find_removed,
    removed_links,
)
from thresher.page.parse import parse
from thresher.page.text import unescape
from thresher.support.bounded_cache import MAX_ADDRESS_CHARS

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
def test_no_link_both_kept_and_removed_when_any_method_selects(method: MethodName) -> None:
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


@cases(__file__, "texts")
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


ADDRESSES = [
    *("/", "/a", "/a/", "/a/b.html", "/a//b", "/.a", "/a,b.c", "/a b", "/é", "//a", "/a?b", "/-a_"),
    *("https://a.test", "http://a.test/", "https://a.test:80/b~c", "https://a.test:/", "https:a"),
    *("https://a.test/b;c", "https://a.test/b?c", "https://a.test#b", "https://a test/", "http://"),
    *("HTTPS://a.test/", "https://é.test/", "https://a.test/é", "https://a.test/b c", "httpss://a"),
    *("http", "https", "https://", "https:///x", "https://a.test/&amp;", "x", " /a", "#", "#x", ""),
    *(
        "/" + "a" * MAX_ADDRESS_CHARS,
        "javascript:x",
        "mailto:a@b",
        "https://a.test/\\x",
        "ftp://a/",
    ),
]


def list_links(addresses: list[str]) -> str:
    return "".join(f'<a href="{address}">x</a>' for address in addresses)


def find_with(html: str) -> RemovedLinks:
    page = parse(html, url="https://site.test/a/b")
    return find_removed(page, np.zeros(page.leaves.size, np.bool_))


@needs_steps
@pytest.mark.parametrize(
    "html",
    [
        list_links(ADDRESSES),
        "<a href=/a>x<table><td><a href=/b>y</table></a><a name=x>z</a><a href=/c><img></a>",
        "<p>x",
    ],
    ids=["addresses", "nested", "none"],
)
def test_step_finds_the_same_links_as_numpy(html: str) -> None:
    """The compiled step must find the same links, and the same kinds of addresses."""
    found = find_with(html)
    with without_compiled_steps():
        assert [each.tolist() for each in find_with(html)] == [each.tolist() for each in found]


def test_simple_addresses_are_told_apart() -> None:
    """Addresses of the web and root-relative ones need no reading; those to anchors are dropped."""
    html = list_links(["https://a.test/b", "/b/c.html", "/b?c", "d", "#e", "", "https://a.test/?f"])
    assert [
        *(AddressKind.ABSOLUTE, AddressKind.ROOTED, AddressKind.OTHER),
        *(AddressKind.OTHER, AddressKind.OTHER),
    ] == find_with(html).kind.tolist()


@given(
    st.sampled_from(["https://site.test/a/b", "https://u@site.test/", "http:///x", None]),
    st.one_of(
        st.sampled_from(ADDRESSES),
        st.from_regex(r"(?:https?://[a-z.:@]{0,3}1?)?/?[a-z.,/;?#_=é -]{0,12}", fullmatch=True),
    ),
)
def test_addresses_that_are_not_read_lead_to_the_same_page(url: str | None, address: str) -> None:
    """Whatever its kind, an address must be resolved as `find_target` does."""
    page = parse(f'<a href="{address}">x</a>', url=url)
    found = find_removed(page, np.zeros(page.leaves.size, np.bool_))
    addresses = Addresses(page)
    spans = zip(*(column.tolist() for column in found[2:]), strict=True)
    resolved = [addresses.resolve(page.buffer[start:stop], kind) for start, stop, kind in spans]
    escaped = page.attributes.distinct("href").texts[0].decode()
    target = find_target(unescape(escaped), addresses.base)
    assert ([target] if resolved else []) == resolved
    assert resolved or target is None
