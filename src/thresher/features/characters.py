"""What kinds of characters a block's text is made of, and the hashes of its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.characters import Kind, kinds_of, symbols_of
from thresher.features.hashing import Hashes, mix
from thresher.names import words_between
from thresher.native import REFUSED, compiled
from thresher.page import Page
from thresher.scan import IntArray
from thresher.tags import TEXT

__all__ = ["Characters", "read_arrays", "read_characters", "read_compiled"]

Bytes = npt.NDArray[np.uint8]
_Places = npt.NDArray[np.intp]


_N_KIND: Final = Kind.OTHER + 1
_STEP_SYMBOLS: Final = 8
"""Symbols of a word that are hashed together; `words_between` reads twice as many."""
_CHARS_A_WORD: Final = 4
"""Fewer than there mostly are: for so many words room is made at first."""
_SIZE_SALT: Final = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Characters:
    """The text of a page, character by character, and whose it is."""

    counts: npt.NDArray[np.int64]
    """How many of each `Kind` from UPPER on a block has; int64[n_block, n_kind]."""
    first: Bytes
    """Kind of the first character that shows; uint8[n_block], SPACE where there is none."""
    last: Bytes
    word_hash: Hashes
    """Equal for equal words of the page's text, unrendered ones too; uint64[n_word]."""
    word_start: IntArray
    """Where in the page's text each word begins; int32[n_word]."""
    word_block: IntArray
    """The block each word stands in, n_block where in none; int32[n_word]."""


def read_characters(page: Page) -> Characters:
    """Count the characters of each block by kind, and hash the words of the page."""
    n_block = len(page.blocks)
    block_of_row = np.full(len(page), n_block, np.int32)
    block_of_row[page.leaves] = page.blocks.of_leaf
    texts = (page.tag == TEXT).nonzero()[0]
    block = block_of_row.take(texts)
    return read_compiled(page, texts, block) or read_arrays(page, texts, block)


def read_compiled(page: Page, texts: _Places, block: IntArray) -> Characters | None:
    """Read characters by compiled steps; None where there are none."""
    if compiled is None:
        return None
    codes, start = page.character_codes, page.text_offset.take(texts)
    counts = np.empty((len(page.blocks) + 1, _N_KIND), np.int64)
    first, last = np.empty((2, len(page.blocks)), np.uint8)
    n_room = codes.size // _CHARS_A_WORD + 1
    while True:
        word_start, word_block = np.empty((2, n_room), np.int32)
        word_hash = np.empty(n_room, np.uint64)
        outputs = counts, word_start, word_block, word_hash
        n_word = compiled.read_words(codes, start, block, *outputs)
        if n_word <= n_room:
            break
        n_room = n_word
    edges = _block_edges(page)
    if n_word == REFUSED or compiled.read_edges(codes, *edges, first, last) == REFUSED:
        return None
    hashes, starts, blocks = word_hash[:n_word], word_start[:n_word], word_block[:n_word]
    return Characters(counts[:-1], first, last, hashes, starts, blocks)


def read_arrays(page: Page, texts: _Places, block: IntArray) -> Characters:
    """Read characters without compiled steps."""
    n_block = len(page.blocks)
    codes = page.character_codes
    # A space behind the text, so that every character has a next one.
    kind = np.append(kinds_of(codes), np.uint8(Kind.SPACE))
    start, stop = page.text_offset.take((texts, texts + 1))
    block = block.repeat(stop - start)

    told = (kind >= Kind.UPPER).nonzero()[0]
    cell = block.take(told) * _N_KIND + kind.take(told)
    counts = np.bincount(cell, minlength=(n_block + 1) * _N_KIND).reshape(-1, _N_KIND)
    word_start, word_stop = _find_words(kind, start)
    return Characters(
        counts[:n_block],
        *_read_edges(page, kind),
        _hash_words(symbols_of(codes), word_start, word_stop),
        word_start.astype(np.int32),
        block.take(word_start),
    )


def _block_edges(page: Page) -> tuple[IntArray, IntArray]:
    """Return where the text of each block starts and stops."""
    last = page.leaves.take(page.blocks.start[1:] - 1)
    return page.text_offset.take(page.block_leaf), page.text_offset.take(last + 1)


def _read_edges(page: Page, kind: Bytes) -> tuple[Bytes, Bytes]:
    """Return the kinds of the first and the last character of each block that shows."""
    start, stop = _block_edges(page)
    shows = kind != Kind.SPACE
    first, last = start.copy(), stop - 1
    # Where an edge is a space, what shows begins where that space ends, or ends where it begins.
    turns = (shows[1:] != shows[:-1]).nonzero()[0] + 1
    turns = np.concatenate(([0], turns, [kind.size - 1]))
    blank = (~shows.take(first)).nonzero()[0]
    first[blank] = turns.take(turns.searchsorted(first.take(blank), side="right"), mode="clip")
    blank = (~shows.take(last)).nonzero()[0]
    last[blank] = turns.take(turns.searchsorted(last.take(blank), side="right") - 1) - 1
    shown = first < stop
    return kind.take(first) * shown, kind.take(last) * shown


def _find_words(kind: Bytes, start: IntArray) -> tuple[_Places, _Places]:
    """Find each word: letters and digits in a row, or one letter of an unspaced script.

    Returns where words start and stop. No word spans two texts, which begin at ``start``.
    """
    alone = kind == Kind.UNSPACED
    inside = (kind >= Kind.LETTER) & (kind <= Kind.DIGIT)
    begins = inside.copy()
    begins[1:] &= ~inside[:-1] | alone[1:] | alone[:-1]
    begins[start] = inside[start]
    # A word stops where the next character is in none, or begins one.
    stops = inside[:-1] & (begins[1:] == inside[1:])
    return begins.nonzero()[0], stops.nonzero()[0] + 1


def _hash_words(symbols: Bytes, start: _Places, stop: _Places) -> Hashes:
    """Give each word a number that only equal words share, but for chance of 1 in 2^64."""
    text = symbols.tobytes()
    words = words_between(text, start, stop)
    size = stop - start
    hashes = mix(words.low + size.astype(np.uint64) * _SIZE_SALT)
    longer = (size > _STEP_SYMBOLS).nonzero()[0]
    hashes[longer] = mix(hashes.take(longer) ^ words.high.take(longer))
    for word in (size > 2 * _STEP_SYMBOLS).nonzero()[0].tolist():
        for at in range(start[word] + 2 * _STEP_SYMBOLS, stop[word], _STEP_SYMBOLS):
            rest = text[at : min(at + _STEP_SYMBOLS, stop[word])]
            one = hashes[word : word + 1]
            one[:] = mix(one ^ np.uint64(int.from_bytes(rest, "little")))
    return hashes
