"""Hashes of words inside a buffer."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.kernel_comparison import call_both
from thresher.features.hashing import hash_runs, mix


def hash_word(word: str) -> int:
    """Hash one word."""
    symbols = np.frombuffer(word.encode(), np.uint8)
    return int(hash_runs(symbols, np.array([0]), np.array([symbols.size]))[0])


@given(st.lists(st.text("abc", min_size=1, max_size=9), min_size=1, max_size=9))
def test_equal_words_hash_alike_wherever_they_stand(words: list[str]) -> None:
    """A word's hash depends on its letters only, not on its surroundings."""
    symbols = np.frombuffer(" ".join(words).encode(), np.uint8)
    stop = np.cumsum([len(word) + 1 for word in words]) - 1
    start = stop - [len(word) for word in words]
    assert [hash_word(word) for word in words] == hash_runs(symbols, start, stop).tolist()


@given(st.binary(min_size=1, max_size=60), st.data())
def test_runs_of_any_symbols_hash_as_by_numpy(symbols: bytes, data: st.DataObject) -> None:
    """The compiled step and numpy give each run the same hash."""
    ends = st.lists(st.integers(0, len(symbols)), min_size=2, max_size=2, unique=True).map(sorted)
    start, stop = np.array(data.draw(st.lists(ends, min_size=1, max_size=5))).T
    runs = np.frombuffer(symbols, np.uint8), start, stop
    call_both(hash_runs, *runs)


def test_anagrams_hash_apart() -> None:
    """The order of letters counts."""
    assert 4 == len({hash_word(word) for word in ("list", "slit", "silt", "tils")})


def test_hash_is_that_of_the_trained_models() -> None:
    """Hashes are stored with weights, so they must never change."""
    assert 0x80457BA7A33C19D5 == hash_word("content")
    assert 0xEE8C2BAF6343E5C3 == hash_word("a")


def test_mix_is_one_to_one_on_small_numbers() -> None:
    """No two small numbers have the same hash."""
    assert 5000 == np.unique(mix(np.arange(5000))).size
