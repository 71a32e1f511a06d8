"""Caches of large values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from thresher.support.byte_cache import ByteCache


@given(st.lists(st.integers(0, 50), max_size=30))
def test_values_stay_within_the_bound(sizes: list[int]) -> None:
    """The cache stays within its bound, or holds the last value alone."""
    cache = ByteCache[bytes](80, len)
    for size in sizes:
        name = cache.put(b"x" * size)
        assert b"x" * size == cache.get(name)
        assert cache.n_bytes <= 80 or len(cache) == 1
    assert sum(len(value) for _, value in cache.latest()) == cache.n_bytes


def test_the_least_recently_used_is_evicted_first() -> None:
    """Reading a value keeps it; the latest come first."""
    cache = ByteCache[bytes](10, len)
    first, second, third = (cache.put(value) for value in (b"one", b"two", b"six"))
    assert b"one" == cache.get(first)
    fourth = cache.put(b"four")
    assert cache.get(second) is None
    assert [(fourth, b"four"), (first, b"one"), (third, b"six")] == cache.latest()


def test_a_value_that_exceeds_the_bound_is_kept_alone() -> None:
    """A single large value can be used until the next one comes."""
    cache = ByteCache[bytes](10, len)
    small, large = cache.put(b"1"), cache.put(b"2" * 100)
    assert small not in cache
    assert b"2" * 100 == cache.get(large)
    cache.put(b"3")
    assert cache.get(large) is None


def test_a_value_of_the_same_name_is_replaced() -> None:
    """The bytes of the former value no longer count."""
    cache = ByteCache[bytes](10, len)
    assert "name" == cache.put(b"12345", "name")
    cache.put(b"1", "name")
    assert (b"1", 1) == (cache.get("name"), cache.n_bytes)


def test_values_expire() -> None:
    """After its time a value is neither found nor held in memory."""
    now = [0.0]
    cache = ByteCache[bytes](10, len, max_age_s=60.0, clock=lambda: now[0])
    name = cache.put(b"12345")
    now[0] = 60.0
    assert b"12345" == cache.get(name)
    now[0] = 60.5
    assert [] == cache.latest()
    assert cache.get("unknown") is None
    assert 0 == cache.n_bytes == len(cache)
