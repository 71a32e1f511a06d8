"""What is held from page to page has bounds in bytes, whatever pages say."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper
from importlib import import_module
from inspect import signature
from pkgutil import walk_packages

import thresher
from tests.helpers.document_calls import CALLS
from thresher.support.remembered import MAX_ADDRESS_CHARS, MAX_KEY_CHARS, remember, remember_by

OF_NO_PAGE = {
    "thresher.algorithms.learned._load": "files of weights",
    "thresher.app.document_cache._extract_cached": "a few pages, not the long ones",
    "thresher.filters.setting._describe": "classes of settings",
    "thresher.proxy.passwords._is_same": "passwords of the user",
    "thresher.proxy.state.load_list": "files of block lists",
    "thresher.sites.folder._read": "files of the user, by host",
}
"""Caches that are not keyed by what pages say, or of few entries, and by what they are keyed."""


def caches() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield the caches in the globals of all modules, those in closures of `remember` apart."""
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


def test_caches_are_of_short_texts_or_not_of_pages() -> None:
    """A new cache uses `remember`, takes nothing, or says by what it is keyed."""
    found = {name for name, cache in caches() if signature(cache).parameters}
    assert set(OF_NO_PAGE) == found


def test_short_texts_are_held_and_long_ones_are_not() -> None:
    """The function is called once for a short text and every time for a long one."""
    called: list[str] = []

    @remember(2)
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


def test_size_is_told_where_there_are_several_texts() -> None:
    """What is held is measured by all texts of a key together."""
    called: list[tuple[int, str]] = []

    def size(key: tuple[int, str]) -> int:
        return len(key[1])

    @remember_by(2, size)
    def ask(key: tuple[int, str]) -> None:
        called.append(key)

    for key in ((1, "a"), (1, "a"), (2, "b" * 1000), (2, "b" * 1000)):
        ask(key)
    assert [1, 2, 2] == [number for number, _ in called]


def test_long_names_and_addresses_leave_nothing_behind() -> None:
    """Pages whose names and addresses are long and never the same leave memory as it was."""

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


def test_long_addresses_stay_as_they_stand() -> None:
    """They are not joined with the base, for the standard library would hold both."""
    from thresher.analysis.links import resolve_link

    base = "https://site.example/a/"
    assert "https://site.example/a/b" == resolve_link("b", base)
    long = "b" * (MAX_ADDRESS_CHARS + 1)
    assert long == resolve_link(long, base)
