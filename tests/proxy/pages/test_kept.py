"""Pages of previews are bounded, and each is its owner's."""

from __future__ import annotations

from thresher.proxy.pages.kept import KeptPage, KeptPages


def test_the_oldest_go_first() -> None:
    """Beyond the bound, what was not asked for the longest is forgotten; the last one stays."""
    kept = KeptPages(max_bytes=10)
    first, second = (kept.put(KeptPage("", b"1234", "", "")) for _ in range(2))
    assert kept.get(first, "")
    third = kept.put(KeptPage("", b"1234", "", ""))
    assert kept.get(second, "") is None
    assert kept.get(first, "")
    assert kept.get(third, "")
    large = kept.put(KeptPage("", b"1" * 100, "", ""))
    assert kept.get(third, "") is None
    assert kept.get(large, "")
    assert kept.get(large, "anna") is None
