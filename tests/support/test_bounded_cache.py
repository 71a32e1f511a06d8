"""Caches that outlive a page are bounded in bytes, whatever pages contain."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper
from importlib import import_module
from inspect import signature
from pkgutil import walk_packages

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.helpers.document_calls import CALLS
from thresher.support.bounded_cache import (
    MAX_ADDRESS_CHARS,
    MAX_KEY_CHARS,
    ByteCache,
    bounded_cache,
)

NOT_KEYED_BY_PAGES = {
    "thresher.algorithms.learned._load": "files of weights",
    "thresher.app.engine._extract_cached": "a few pages, not the long ones",
    "thresher.filters.blocklist._read_own": "settings of users",
    "thresher.filters.address_rules._compile": "patterns of block lists",
    "thresher.support.settings._describe": "classes of settings",
    "thresher.proxy.passwords._is_same": "passwords of the user",
    "thresher.proxy.state.load_list": "files of block lists",
    "thresher.sites.site_files._open_packed": "files of the user",
    "thresher.sites.site_files._read_packed": "files of the user, by host",
    "thresher.sites.site_files._read_of_host": "files of the user, by host",
}
"""Caches that are not keyed by page content, or have few entries, and what they are keyed by."""


def caches() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield the caches in the globals of all modules; those of `bounded_cache` are in closures."""
    for info in walk_packages(thresher.__path__, "thresher."):
        if info.name.endswith("__main__"):
            continue
        try:
            module = import_module(info.name)
        except ImportError:
            continue
        for name, value in vars(module).items():
            if isinstance(value, _lru_cache_wrapper) and value.__module__ == info.name:
                yield f"{info.name}.{name}", value


def test_caches_are_bounded_or_not_keyed_by_pages() -> None:
    """A cache uses `bounded_cache`, takes no arguments, or is listed with what it is keyed by."""
    found = {name for name, cache in caches() if signature(cache).parameters}
    assert set(NOT_KEYED_BY_PAGES) == found


def test_short_texts_are_cached_and_long_ones_are_not() -> None:
    """The function is called once for a short text and every time for a long one."""
    called: list[str] = []

    @bounded_cache(2)
    def ask(text: str) -> int:
        called.append(text)
        return len(text)

    short, long = "a" * MAX_KEY_CHARS, "b" * (MAX_KEY_CHARS + 1)
    assert [len(short), len(long)] * 2 == [ask(text) for text in (short, long, short, long)]
    assert [short, long, long] == called
    for other in "cde":
        ask(other)
    ask(short)
    assert [short, long, long, "c", "d", "e", short] == called


def test_keys_are_measured_by_the_given_size() -> None:
    """A key of several values is measured by ``size``."""
    called: list[tuple[int, str]] = []

    def size(key: tuple[int, str]) -> int:
        return len(key[1])

    @bounded_cache(2, size)
    def ask(key: tuple[int, str]) -> None:
        called.append(key)

    for key in ((1, "a"), (1, "a"), (2, "b" * 1000), (2, "b" * 1000)):
        ask(key)
    assert [1, 2, 2] == [number for number, _ in called]


@pytest.mark.slow
def test_long_names_and_addresses_are_not_kept_in_memory() -> None:
    """Pages with long, ever different names and URLs do not make memory grow."""

    def ask(number: int) -> None:
        long = f"{number}-" + "x" * 50_000
        html = (
            f"<p class='author {long}' id='post-{long}'>By Ann <a href='/{long}'>a story</a>"
            f"<a rel=next href='?page=2&amp;{long}'>next</a><div class='comment {long}'>I say so."
            f"<time class=date-{long}>2024-05-06</time></div><{'y' * 50_000}{number}>w"
        )
        url = "https://site.example/?page=1"
        document = thresher.extract(html, url=url, method="keep_all")
        for call in CALLS.values():
            call(document)

    for number in range(2):
        ask(number)
    gc.collect()
    tracemalloc.start()
    try:
        for number in range(2, 8):
            ask(number)
        gc.collect()
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert left < 6 * 50_000  # of one name a page


def test_long_addresses_are_left_unchanged() -> None:
    """They are not joined with the base, because the standard library would cache both."""
    from thresher.analysis.links import resolve_link

    base = "https://site.example/a/"
    assert "https://site.example/a/b" == resolve_link("b", base)
    long = "b" * (MAX_ADDRESS_CHARS + 1)
    assert long == resolve_link(long, base)


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
    assert cache.get(small) is None
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
