"""Vectorised hashing of words inside long buffers.

A word's hash is the sum of a fixed random number for its first symbol and one for each following
pair of neighbours (tabulation hashing, Zobrist 1970, on pairs), so that one running sum over the
buffer serves all words. Sums of 64-bit numbers wrap around the same way on every machine, so hashes
may be stored with a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with

Hashes = npt.NDArray[np.uint64]

_SYMBOLS: Final = 256


def mix(values: npt.NDArray[np.generic]) -> Hashes:
    """Mix integers into 64-bit hashes (the finaliser of SplitMix64, Steele et al. 2014)."""
    mixed = values.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _hash_runs_by_step(
    steps: Steps,
    symbols: npt.NDArray[np.uint8],
    start: npt.NDArray[np.integer],
    stop: npt.NDArray[np.integer],
) -> Hashes | None:
    first, last = (np.ascontiguousarray(place, np.int64) for place in (start, stop))
    return steps.hash_runs(symbols, first, last)


@kernel_with(_hash_runs_by_step)
def hash_runs(
    symbols: npt.NDArray[np.uint8],
    start: npt.NDArray[np.integer],
    stop: npt.NDArray[np.integer],
) -> Hashes:
    """Hash the runs ``start:stop`` of a buffer, each of at least one symbol; uint64[n_run]."""
    number_of = random_numbers()
    pairs = symbols[:-1].astype(np.uint16) * np.uint16(_SYMBOLS) + symbols[1:]
    sums = np.zeros(symbols.size, np.uint64)
    np.cumsum(number_of.take(pairs), out=sums[1:])
    return number_of.take(symbols.take(start)) + sums.take(stop - 1) - sums.take(start)


def hash_words(words: Sequence[str]) -> Hashes:
    """Hash words as `hash_runs` hashes their UTF-8; uint64[n_word]."""
    encoded = [word.encode() for word in words]
    size = np.array([len(word) for word in encoded], np.intp)
    stop = size.cumsum()
    return hash_runs(np.frombuffer(b"".join(encoded), np.uint8), stop - size, stop)


@cache
def random_numbers() -> Hashes:
    """Return a random number for each symbol and for each pair: 256 · first + second."""
    numbers = mix(np.arange(_SYMBOLS * _SYMBOLS) + 1)
    numbers.setflags(write=False)
    return numbers
