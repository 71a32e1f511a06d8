"""Cache of preview pages."""

from __future__ import annotations

from thresher.proxy.pages.page_cache import CachedPage, PageCache


def test_the_oldest_go_first() -> None:
    """The least recently used page is evicted, but never the last one."""
    page_cache = PageCache(max_bytes=10)
    first, second = (page_cache.put(CachedPage("", b"1234", "", "")) for _ in range(2))
    assert page_cache.get(first, "")
    third = page_cache.put(CachedPage("", b"1234", "", ""))
    assert page_cache.get(second, "") is None
    assert page_cache.get(first, "")
    assert page_cache.get(third, "")
    large = page_cache.put(CachedPage("", b"1" * 100, "", ""))
    assert page_cache.get(third, "") is None
    assert page_cache.get(large, "")
    assert page_cache.get(large, "anna") is None
