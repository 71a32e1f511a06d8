"""What a page's elements are called: tag, class, id, role and itemprop, as hashed tokens.

Authors name elements after what they hold: `entry-content`, `sidebar`, `articleBody`. A value
gives a token for every word in it, cut at anything but letters and where a capital follows a
small letter, and one for each whole name of more than one word. Numbers are no part of a word.
Most values stand on a page many times, so each is read once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features.hashing import Hashes, hash_runs, mix
from thresher.page import Page
from thresher.scan import IntArray
from thresher.tags import NAMES, TEXT

__all__ = ["SALTS", "Tokens", "read_tokens"]

SALTS: Final = {"class": 1, "id": 1, "role": 2, "itemprop": 3, "itemtype": 4}
"""Attributes whose values are read, and what tells equal words in them apart; class and id none."""
_TAG_SALT: Final = 7
_MIN_LETTERS: Final = 2
"""Shorter words say nothing."""

_SPACE, _LETTER, _UPPER = 1, 2, 3


def _kinds() -> npt.NDArray[np.uint8]:
    kinds = np.zeros(256, np.uint8)
    kinds[list(b" \t\n\r\f")] = _SPACE
    kinds[ord("a") : ord("z") + 1] = _LETTER
    kinds[ord("A") : ord("Z") + 1] = _UPPER
    kinds[0x80:] = _LETTER
    return kinds


_KIND: Final = _kinds()
_LOWER: Final = np.frombuffer(bytes(range(256)).lower(), np.uint8)
_TAG_TOKENS: Final = mix(np.arange(len(NAMES)) + (_TAG_SALT << 32))


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a page: what names there are, and which element has which."""

    hash: Hashes
    """Every token of every distinct name; uint64[n_token]."""
    start: npt.NDArray[np.intp]
    """Where the tokens of each distinct name begin; intp[n_name]. Each has one at least."""
    row: IntArray
    """Elements around blocks, in document order, once for each of their names; int32[n_entry]."""
    end: IntArray
    """One past the last row inside each of these elements; int32[n_entry]."""
    name: npt.NDArray[np.intp]
    """The name of each entry; intp[n_entry]."""
    signature: Hashes
    """Equal for rows around blocks of one tag and the same class attribute; uint64[n_row]."""


def read_tokens(page: Page) -> Tokens:
    """Read what the elements around the blocks of a page are called."""
    attributes = page.attributes
    firsts = page.leaves[page.blocks.start[:-1]]
    around = np.searchsorted(firsts, np.arange(len(page))) < np.searchsorted(firsts, page.end)
    found = [attributes.named(name) for name in SALTS]
    found = [entries[around[attributes.row[entries]]] for entries in found]
    entry = np.concatenate(found)
    spans = zip(attributes.start[entry].tolist(), attributes.stop[entry].tolist(), strict=True)
    salts = np.repeat(list(SALTS.values()), [entries.size for entries in found])
    number: dict[tuple[bytes, int], int] = {}
    of_entry = np.array(
        [
            number.setdefault((page.buffer[start:stop], salt), len(number))
            for (start, stop), salt in zip(spans, salts.tolist(), strict=True)
        ],
        np.intp,
    )
    hashes, start = _read_values([value for value, _ in number], [salt for _, salt in number])

    elements = np.flatnonzero(around & (page.tag != TEXT)).astype(np.int32)
    codes, of_element = np.unique(page.tag[elements], return_inverse=True)
    row = np.concatenate((elements, attributes.row[entry]))
    name = np.concatenate((of_element, of_entry + codes.size))
    order = np.argsort(row, kind="stable")
    signature = _TAG_TOKENS[page.tag].copy()
    n_class = found[0].size
    signature[attributes.row[entry[:n_class]]] += mix(of_entry[:n_class] + 1)
    return Tokens(
        np.concatenate((_TAG_TOKENS[codes], hashes)),
        np.concatenate((np.arange(codes.size), start + codes.size)),
        row[order],
        page.end[row[order]],
        name[order],
        signature,
    )


def _read_values(values: list[bytes], salts: list[int]) -> tuple[Hashes, npt.NDArray[np.intp]]:
    """Return the tokens of distinct values, and where those of each begin.

    The first token of a value is the value as a whole, with the space behind it.
    """
    joined = np.frombuffer(b" ".join([*values, b""]), np.uint8)
    size = np.array([len(value) for value in values], np.intp)
    ends = np.cumsum(size + 1) - 1
    kind = _KIND[joined]
    symbols = _LOWER[joined]
    letter = kind >= _LETTER
    word = letter.copy()
    word[1:] &= ~letter[:-1] | ((kind[1:] == _UPPER) & (kind[:-1] == _LETTER))
    word_start, word_stop = _runs(word, ~letter)
    filled = kind != _SPACE
    name = filled.copy()
    name[1:] &= ~filled[:-1]
    name_start, name_stop = _runs(name, ~filled)

    n_word = np.searchsorted(word_start, name_stop) - np.searchsorted(word_start, name_start)
    long_enough = word_stop - word_start >= _MIN_LETTERS
    starts = np.concatenate((ends - size, word_start[long_enough], name_start[n_word > 1]))
    stops = np.concatenate((ends + 1, word_stop[long_enough], name_stop[n_word > 1]))
    of_value = np.searchsorted(ends, starts)
    order = np.argsort(of_value, kind="stable")
    hashes = hash_runs(symbols, starts[order], stops[order])
    hashes += np.array(salts, np.uint64)[of_value[order]]
    return hashes, np.flatnonzero(np.diff(of_value[order], prepend=-1))


def _runs(
    begins: npt.NDArray[np.bool_], breaks: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return start and stop of the runs that begin at flags and last until the next break."""
    start = np.flatnonzero(begins)
    edges = np.flatnonzero(begins | breaks)
    return start, edges[np.searchsorted(edges, start, side="right")]
