"""The next page of an article, thread or list: addresses, and links to it."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.helpers.data import cases
from tests.helpers.known import known
from tests.helpers.trees import soups
from thresher.analysis.pagination import find_next_url
from thresher.analysis.pagination.addresses import (
    PageStep,
    read_address,
    step_after,
    step_between,
)
from thresher.page.parse import parse

SITE = "https://grain.example"


def step(own: str, other: str) -> tuple[PageStep, int]:
    return step_between(known(read_address(SITE + own)), known(read_address(SITE + other)))


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        ("/rye", "/rye?page=2", (PageStep.NAMED, 2)),
        ("/rye", "/rye?page=1", (PageStep.NAMED, 1)),
        ("/rye?a=1&page=2", "/rye?page=3&a=1", (PageStep.NAMED, 3)),
        ("/rye?utm_source=x", "/rye?page=2", (PageStep.NAMED, 2)),
        ("/t?id=7", "/t?id=7&p=2&sid=ab12", (PageStep.NAMED, 2)),
        ("/rye?seite=1", "/rye?seite=2", (PageStep.NAMED, 2)),
        ("/t?id=7", "/t?id=7&start=20", (PageStep.OFFSET, 20)),
        ("/t?id=7&start=20", "/t?id=7&start=40", (PageStep.OFFSET, 40)),
        ("/rye", "/rye/page/2/", (PageStep.NAMED, 2)),
        ("/rye/page/9", "/rye/page/10", (PageStep.NAMED, 10)),
        ("/rye.html", "/rye-page2.html", (PageStep.NAMED, 2)),
        ("/rye-2196g.htm", "/rye-2196g-p2.htm", (PageStep.NAMED, 2)),
        ("/rye.html", "/rye-2.html", (PageStep.APPENDED, 2)),
        ("/rye.shtml", "/rye_02.shtml", (PageStep.APPENDED, 2)),
        ("/rye", "/rye/2", (PageStep.APPENDED, 2)),
        ("/rye/index.html", "/rye/index_2.html", (PageStep.APPENDED, 2)),
        ("/index.php?/topic/7-rye/", "/index.php?/topic/7-rye/page/2/", (PageStep.NAMED, 2)),
        ("/rye_2.html", "/rye_3.html", (PageStep.NUMBER, 3)),
        ("/thread-77-1-1.html", "/thread-77-2-1.html", (PageStep.NUMBER, 2)),
        ("/?p=12", "/?p=13", (PageStep.NUMBER, 13)),
        ("/", "/?p=2", (PageStep.NAMED, 2)),
        ("/archives/12", "/archives/13", (PageStep.NUMBER, 13)),
        ("/archives/12", f"/archives/{'1' * 5_000}", (PageStep.NONE, 0)),
        ("/2014/05/12/", "/2014/05/13/", (PageStep.NUMBER, 13)),
    ],
)
def test_step_between_pages(own: str, other: str, expected: tuple[PageStep, int]) -> None:
    """The second and every next page is known by its number, the surer the more it says."""
    assert expected == step(own, other)


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("/rye", "/rye"),
        ("/rye", "/rye/#2"),
        ("/rye", "/rye/index.html"),
        ("/rye", "/rye?page=3"),
        ("/rye?page=2", "/rye?page=1"),
        ("/rye?page=2", "/rye"),
        ("/rye", "/rye?image=2"),
        ("/rye", "/oat?page=2"),
        ("/rye", "/rye-and-oat/2"),
        ("/rye", "/page/2"),
        ("/rye", "/rye/3"),
        ("/post/1", "/post/12"),
        ("/post/1234", "/post/1235"),
        ("/rye?p=1234", "/rye?p=1235"),
        ("/rye?page=2&sort=new", "/rye?page=3&sort=old"),
        ("/rye", "/rye?page=2&sort=old"),
        ("/t", "/t?start=1"),
        ("/rye", "/rye?page=x"),
        ("/rye", "/rye?page=99999999999999999999"),
        ("/a1/b1", "/a2/b2"),
    ],
)
def test_no_step_between_others(own: str, other: str) -> None:
    """Addresses that differ in more than a page number one larger are of no next page."""
    assert PageStep.NONE == step(own, other)[0]


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        ("/rye/2", "/rye/3", (PageStep.APPENDED, 3)),
        ("/rye/page/9", "/rye/page/10", (PageStep.NAMED, 10)),
        ("/rye/2", "/rye/4", (PageStep.NONE, 0)),
        ("/rye", "/rye/2", (PageStep.NONE, 0)),
        ("/oat/2", "/oat/3", (PageStep.NONE, 0)),
        ("/rye/2?a=1", "/rye/3", (PageStep.NONE, 0)),
    ],
)
def test_step_after_a_known_first_page(
    own: str, other: str, expected: tuple[PageStep, int]
) -> None:
    """With a known first page, an appended number must count as a page number."""
    addresses = (known(read_address(SITE + path)) for path in ("/rye", own, other))
    assert expected == step_after(*addresses)


def test_no_step_to_another_site() -> None:
    """A next page is of the same host and port, with www or without."""
    own = known(read_address("http://grain.example/rye"))
    for url, expected in {
        "https://www.grain.example/rye/2": PageStep.APPENDED,
        "http://other.example/rye/2": PageStep.NONE,
        "http://grain.example:81/rye/2": PageStep.NONE,
    }.items():
        assert expected == step_between(own, known(read_address(url)))[0]


@pytest.mark.parametrize(
    "url", ["", "/rye", "mailto:a@b", "javascript:next(2)", "http://", "http://[", "ftp://a/2"]
)
def test_read_address_of_none(url: str) -> None:
    """Only absolute http and https addresses are parsed."""
    assert read_address(url) is None


def next_of(html: str, own: str = "/rye", site: str = SITE) -> str | None:
    """Return where a page goes on, without the site."""
    found = find_next_url(parse(html, url=site + own))
    return found.removeprefix(site) if found else None


@cases(__file__, "next")
def test_next_page_found(own: str, html: str, expected: str) -> None:
    """A link with the address of the next page and any other sign of it leads there."""
    assert expected == next_of(html, own)


@cases(__file__, "none")
def test_no_next_page(own: str, html: str) -> None:
    """The next article, calendars, carousels, other lists and other sites are no next page."""
    assert next_of(html, own) is None


def test_no_next_page_of_unknown_address() -> None:
    """Without an address of its own a page has no next one: nothing says what it follows on."""
    html = "<base href='https://grain.example/rye'><a rel=next href='/rye/2'>Next</a>"
    assert find_next_url(parse(html)) is None


def test_canonical_of_the_first_page() -> None:
    """A later page that calls the first one canonical goes on to the page behind itself."""
    html = (
        "<link rel=canonical href='/rye'><a href='/rye'>1</a><b>2</b>"
        "<a href='/rye/page/3'>3</a><a href='/rye/page/2'>Next</a>"
    )
    assert "/rye/page/3" == next_of(html, "/rye/page/2")


def test_next_page_after_a_known_first_page() -> None:
    """A known first page must settle that a bare number in the address is a page number."""
    page = parse("<a rel=next href='/rye/3'>Next</a>", url=f"{SITE}/rye/2")
    assert find_next_url(page) is None
    assert f"{SITE}/rye/3" == find_next_url(page, f"{SITE}/rye")
    assert find_next_url(page, f"{SITE}/oat") is None
    canonical = "<link rel=canonical href='/rye'><a rel=next href='/rye/3'>Next</a>"
    assert "/rye/3" == next_of(canonical, "/rye/2")


def test_surest_link_wins() -> None:
    """The link with the most evidence must win over the others."""
    html = (
        "<p class=pager><a href='/rye?page=2&amp;lang=de'>Deutsch</a></p>"
        "<p class=pager>1 <a href='/rye?page=2' rel=next>2</a>"
    )
    assert "/rye?page=2" == next_of(html)


def test_next_page_of_a_page_of_links() -> None:
    """Pagers at the top and at the bottom are found among any number of links."""
    links = "".join(f"<a href='/{number}'>x</a> " for number in range(5_000))
    pager = "<p class=pager>1 <a href='/rye?page=2'>2</a>"
    assert ["/rye?page=2"] * 2 == [next_of(pager + links), next_of(links + pager)]


def test_next_page_of_a_deep_page() -> None:
    """A link far down a deep page is found without recursion."""
    assert "/rye/2" == next_of("<div>" * 5_000 + "<a rel=next href='/rye/2'>2</a>")


@given(soups())
def test_next_page_of_any_page(html: str) -> None:
    """The next page of any page must be another absolute URL on the same site."""
    url = f"{SITE}/rye"
    found = find_next_url(parse(html + "<a href='rye?page=2' class=next>2</a>", url=url))
    assert found is None or (found.startswith(SITE) and found != url)
