"""Cache of preview pages."""

from __future__ import annotations

from thresher.proxy.pages.context import CachedPage, PreviewCache


def test_the_oldest_go_first() -> None:
    """The least recently used page is evicted, but never the last one."""
    preview_cache = PreviewCache(max_bytes=10)
    first, second = (preview_cache.put(CachedPage("", b"1234", "", "")) for _ in range(2))
    assert preview_cache.get(first, "")
    third = preview_cache.put(CachedPage("", b"1234", "", ""))
    assert preview_cache.get(second, "") is None
    assert preview_cache.get(first, "")
    assert preview_cache.get(third, "")
    large = preview_cache.put(CachedPage("", b"1" * 100, "", ""))
    assert preview_cache.get(third, "") is None
    assert preview_cache.get(large, "")
    assert preview_cache.get(large, "anna") is None
