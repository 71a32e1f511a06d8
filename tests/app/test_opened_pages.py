"""LRU cache of opened pages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from thresher.app.opened_pages import OpenedPageCache, PageSource
from thresher.fetching.model import Fetched


@given(st.lists(st.integers(0, 5_000), max_size=30))
def test_pages_stay_within_their_room(sizes: list[int]) -> None:
    """The cache stays within its bound, or holds a single page."""
    pages = OpenedPageCache(8_000)
    for size in sizes:
        name = pages.put(PageSource(b"x" * size))
        assert pages.get(name) is not None
        assert pages.n_bytes <= 8_000 or len(pages) == 1
    assert sum(page.n_bytes for page in pages._pages.values()) == pages.n_bytes


def test_pages_stay_when_they_are_looked_at() -> None:
    """The least recently used page is evicted first."""
    pages = OpenedPageCache(3_500)
    first, second = pages.put(PageSource(b"one")), pages.put(PageSource(b"two"))
    third = pages.put(PageSource(b"three"))
    assert pages.get(first) == PageSource(b"one")
    pages.put(PageSource(b"four"))
    assert pages.get(second) is None
    assert pages.get(first) and pages.get(third)


def test_pages_are_not_found_when_unknown() -> None:
    """An unknown id yields None."""
    assert OpenedPageCache(10).get("0") is None


def test_source_knows_where_it_is_from_when_fetched() -> None:
    """A source keeps the address, charset and origin of the fetched page."""
    fetched = Fetched("https://example.org/", b"<p>", "koi8-r", "text/html", 200, is_public=False)
    expected = PageSource(
        b"<p>", "https://example.org/", "koi8-r", is_public=False, is_fetched=True
    )
    assert expected == PageSource.of_fetched(fetched)


def test_the_latest_used_come_first() -> None:
    """The most recently used pages are listed first."""
    page_cache = OpenedPageCache(10_000)
    first, second = page_cache.put(PageSource("a")), page_cache.put(PageSource("b"))
    page_cache.get(first)
    assert [(first, PageSource("a")), (second, PageSource("b"))] == page_cache.latest()
