"""Cache of preview pages."""

from __future__ import annotations

from thresher.proxy.memory import KeptPage, KeptPages
from thresher.proxy.rewrite_model import ReceivedPage


def page(n_byte: int) -> KeptPage:
    """Return a page of a size."""
    return KeptPage("", ReceivedPage(b"x" * n_byte, "", ""))


def test_the_oldest_go_first() -> None:
    """The least recently used page is evicted, but never the last one."""
    preview_cache = KeptPages[KeptPage](max_bytes=10)
    first, second = (preview_cache.put(page(4)) for _ in range(2))
    assert preview_cache.get(first, "")
    third = preview_cache.put(page(4))
    assert preview_cache.get(second, "") is None
    assert preview_cache.get(first, "")
    assert preview_cache.get(third, "")
    large = preview_cache.put(page(100))
    assert preview_cache.get(third, "") is None
    assert preview_cache.get(large, "")
    assert preview_cache.get(large, "anna") is None
