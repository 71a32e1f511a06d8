"""What the proxy remembers of pages and sites."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from thresher.filters.settings import NO_FILTERS, Filters
from thresher.proxy.memory import (
    EarlyHeads,
    OwnedPage,
    OwnedPages,
    PostResult,
    PostResults,
    SiteKinds,
    leaves_heads,
)
from thresher.proxy.rewrite_model import ReceivedPage


@pytest.mark.parametrize(
    ("filters", "stops_requests", "expected"),
    [
        (Filters(), True, True),
        (Filters(), False, False),
        (Filters(ads=False), False, False),
        (NO_FILTERS, False, True),
        (replace(Filters(), external_styles=True), True, False),
        (replace(Filters(), backgrounds=True), True, False),
        (replace(Filters(), images=True), True, True),
    ],
)
def test_heads_that_stay(filters: Filters, stops_requests: bool, expected: bool) -> None:
    """They stay if what the filters would remove is stopped when it is asked for."""
    assert expected == leaves_heads(filters, stops_requests=stops_requests)


def test_misfits_are_remembered() -> None:
    """A host is buffered for good after a page that its head did not fit; the oldest go first."""
    heads = EarlyHeads()
    for number in range(10_001):
        assert heads.fits(f"{number}.example")
        heads.note_misfit(f"{number}.example")
    assert [True, False] == [heads.fits(host) for host in ("0.example", "1.example")]


def kept(n_byte: int) -> OwnedPage:
    """Return a page of a size."""
    return OwnedPage("anna", ReceivedPage(b"x" * n_byte, "text/html", "https://a.example/"))


def test_pages_are_kept_within_bounds() -> None:
    """The oldest go first; one that is too large is kept only if asked for, and until the next."""
    pages = OwnedPages[OwnedPage](max_bytes=100)
    for name, n_byte in (("a", 40), ("b", 40), ("c", 40), ("d", 101)):
        pages.keep(name, kept(n_byte))
    assert [False, True, True, False] == [pages.get(name, "anna") is not None for name in "abcd"]
    assert pages.get("b", "bert") is None
    large = pages.put(kept(101))
    assert pages.get(large, "anna") and not pages.get("c", "anna")
    pages.put(kept(4))
    assert not pages.get(large, "anna")


URL = "http://mill.example/search"


def result(user: str = "anna", size: int = 10) -> PostResult:
    """Return a result of a user."""
    return PostResult(user, ReceivedPage(b"x" * size, "text/html", URL), ())


def test_a_result_answers_once() -> None:
    """A chosen result answers the next request of its user for its address, and only that one."""
    results = PostResults()
    results.keep("one", result())
    assert results.take("anna", URL) is None
    for user, name, url in (("bert", "one", URL), ("anna", "two", URL), ("anna", "one", URL[:-1])):
        results.choose(user, name, url)
        assert results.take(user, url) is None
    results.choose("anna", "one", f"{URL}#top")
    assert results.take("bert", URL) is None
    assert results.take("anna", "http://mill.example/") is None
    assert ("one", result()) == results.take("anna", URL)
    assert results.take("anna", URL) is None


def test_results_are_bounded() -> None:
    """Results expire after ten minutes, and the oldest make room for new ones."""
    now = [0.0]
    results = PostResults(25, lambda: now[0])
    for name in ("one", "two", "three"):
        results.keep(name, result())
        results.choose("anna", name, URL)
    results.choose("anna", "one", URL)
    assert results.take("anna", URL) == ("three", result())
    results.choose("anna", "two", URL)
    now[0] = 601.0
    assert results.take("anna", URL) is None
    results.keep("four", result(size=30))
    results.choose("anna", "four", URL)
    assert results.take("anna", URL) is None


SHOP = "https://www.shop.example/"


def test_a_site_is_what_most_of_its_pages_are() -> None:
    """One page of an application makes a site one; among many articles it does not."""
    kinds = SiteKinds()
    assert not kinds.is_application(SHOP)
    kinds.note(SHOP, is_application=True)
    assert kinds.is_application("https://shop.example/about?x=1")
    assert not kinds.is_application("https://news.example/")
    for _ in range(9):
        kinds.note("https://news.example/", is_application=False)
    kinds.note("https://news.example/", is_application=True)
    assert not kinds.is_application("https://news.example/")


def test_a_menu_does_not_come_and_go() -> None:
    """A site changes back only after many more pages than it needed to become an application."""
    kinds = SiteKinds()
    seen = []
    for number in range(12):
        kinds.note(SHOP, is_application=number % 3 == 0)
        seen.append(kinds.is_application(SHOP))
    assert all(seen)
    for _ in range(9):
        kinds.note(SHOP, is_application=False)
    assert not kinds.is_application(SHOP)


def test_applications_are_known_after_a_start(tmp_path: Path) -> None:
    """They, and only they, are kept in a file; whatever that holds or is, the proxy goes on."""
    path = tmp_path / "applications.json"
    kinds = SiteKinds(path)
    kinds.note("https://news.example/", is_application=False)
    assert not path.exists()
    kinds.note(SHOP, is_application=True)
    assert "news.example" not in path.read_text()
    assert SiteKinds(path).is_application(SHOP)
    for text in ("", "[]", "{", '{"a": 1}', '{"a": ["x", 1]}', "\ud800".join("ab")):
        path.write_text(text, errors="replace")
        assert not SiteKinds(path).is_application("https://a/")
    kinds = SiteKinds(path / "applications.json")
    kinds.note(SHOP, is_application=True)
    assert kinds.is_application(SHOP)
