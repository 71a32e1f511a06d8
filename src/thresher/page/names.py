"""Tag and attribute names in a byte buffer, packed into integers so that numpy can compare them.

A name is packed into two little-endian 8-byte words, zero-padded. Sixteen bytes hold every name
that Thresher knows, so equal words mean equal names; a name that fills both words is longer than
all of them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with

MAX_NAME_BYTES: Final = 15
"""Longest name, in bytes, that can be packed and distinguished from longer ones."""

_Word = npt.NDArray[np.uint64]
_WORD: Final = np.dtype("<u8")
_ZERO, _ONE, _SEVEN = np.uint64(0), np.uint64(1), np.uint64(7)
_ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
_LOW: Final = np.uint64(0x0101010101010101)
_HIGH: Final = np.uint64(0x8080808080808080)
HASH_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
"""Multiplier of the high word of a name in its key."""
_FIRST_BYTES: Final = np.array([(1 << 8 * n) - 1 for n in range(9)], _WORD)
"""Masks that keep the first n bytes of a word."""


class PackedNames(NamedTuple):
    """Names as pairs of words; both arrays uint64[n]."""

    low: _Word
    high: _Word

    @property
    def key(self) -> _Word:
        """One search key per name; different names may share a key, so compare the words too."""
        return self.low ^ (self.high * HASH_MIX)


def pack_names(*names: str) -> PackedNames:
    """Pack known names; ValueError for one longer than `MAX_NAME_BYTES`."""
    if any(len(name.encode()) > MAX_NAME_BYTES for name in names):
        raise ValueError(f"a name is longer than {MAX_NAME_BYTES} bytes")
    packed = b"".join(name.encode().ljust(16, b"\0") for name in names)
    pairs = np.frombuffer(packed, _WORD).reshape(-1, 2)
    return PackedNames(pairs[:, 0], pairs[:, 1])


def pack_names_at(buffer: bytes, start: npt.NDArray[np.integer], ends: bytes) -> PackedNames:
    """Pack the name at each offset, up to the first of the two bytes in ``ends``."""
    if start.size and start.max() + 16 > len(buffer):
        buffer += bytes(16)
    window = np.ndarray(max(len(buffer) - 7, 0), _WORD, buffer, strides=(1,))
    low, unfinished = _cut(window[start], ends)
    high = np.zeros_like(low)
    longer = unfinished.nonzero()[0]
    if longer.size:
        high[longer], _ = _cut(window[start.take(longer) + 8], ends)
    return PackedNames(low, high)


def _pack_between_by_step(
    steps: Steps, buffer: bytes, start: npt.NDArray[np.integer], stop: npt.NDArray[np.integer]
) -> PackedNames | None:
    first, last = (np.ascontiguousarray(place, np.int32) for place in (start, stop))
    words = steps.pack_words(buffer, first, last)
    return None if words is None else PackedNames(*words)


@kernel_with(_pack_between_by_step)
def pack_between(
    buffer: bytes, start: npt.NDArray[np.integer], stop: npt.NDArray[np.integer]
) -> PackedNames:
    """Pack the first 16 bytes between each pair of offsets."""
    if start.size and start.max() + 16 > len(buffer):
        buffer += bytes(16)
    window = np.ndarray(max(len(buffer) - 7, 0), _WORD, buffer, strides=(1,))
    size = stop - start
    low = window[start] & _FIRST_BYTES.take(np.minimum(size, 8))
    high = np.zeros_like(low)
    longer = np.flatnonzero(size > 8)
    rest = np.minimum(size.take(longer) - 8, 8)
    high[longer] = window[start.take(longer) + 8] & _FIRST_BYTES.take(rest)
    return PackedNames(low, high)


def _cut(word: _Word, ends: bytes) -> tuple[_Word, npt.NDArray[np.bool_]]:
    """Zero each word from its first end byte on; also flag the words without an end byte.

    The classic word-at-a-time search for a zero byte, after XOR with the wanted byte.
    """
    hits: _Word | np.uint64 = _ZERO
    for end in ends:
        other = word ^ (_LOW * np.uint64(end))
        hits = hits | ((other - _LOW) & ~other & _HIGH)
    lowest = hits & (~hits + _ONE)
    whole = hits == _ZERO
    return word & np.where(whole, _ALL, (lowest >> _SEVEN) - _ONE), whole
