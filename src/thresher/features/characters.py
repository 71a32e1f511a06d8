"""Kinds of characters in the text of blocks, and words that blocks share with titles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features.hashing import Hashes, mix
from thresher.native import Steps, kernel_with
from thresher.page import Page
from thresher.page.characters import CharacterKind, kinds_of, symbols_of
from thresher.page.names import pack_between
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, TEXT

Bytes = npt.NDArray[np.uint8]
_Places = npt.NDArray[np.intp]

_N_KIND: Final = CharacterKind.OTHER + 1
_STEP_SYMBOLS: Final = 8
"""Symbols of a word that are hashed at once; `pack_between` reads twice as many."""
_TITLE_PLACES: Final = 1024
"""Initial slots of the hash table of the titles' words; half as many words fit."""
_SIZE_SALT: Final = np.uint64(0x9E3779B97F4A7C15)
_TITLE, _H1 = CODE_OF["title"], CODE_OF["h1"]


@dataclass(frozen=True, slots=True)
class Characters:
    """Counts of the characters and words of each block."""

    counts: IntArray
    """Number of characters of each `CharacterKind`, from UPPER on; int32[n_block, n_kind]."""
    first: Bytes
    """Kind of the first visible character; uint8[n_block], SPACE if there is none."""
    last: Bytes
    words: IntArray
    """Words of each block; those in the page's title; those in its first h1; int32[3, n_block].

    Of several title or h1 elements, the first one with words counts.
    """
    word_sum: Hashes
    """Equal for blocks of equal words, in any order; uint64[n_block]."""
    n_title: int
    """Number of distinct words of the title."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a page, including unrendered ones, in document order."""

    hash: Hashes
    """Equal for equal words; uint64[n_word]."""
    start: IntArray
    """Start of each word in the page's text; int32[n_word]."""
    stop: IntArray
    block: IntArray
    """Block of each word, n_block if in none; int32[n_word]."""


def _read_characters_by_step(steps: Steps, page: Page) -> Characters | None:
    codes = page.character_codes
    for n_place in (_TITLE_PLACES, 4 << codes.size.bit_length()):
        read = steps.read_characters(
            codes,
            page.tag,
            page.end,
            page.text_offset,
            page.leaves,
            page.blocks.start,
            _TITLE,
            _H1,
            n_place,
        )
        if read is not None:
            n_title, counts, first, last, words, word_sum = read
            return Characters(counts, first, last, words, word_sum, n_title)
    return None


@kernel_with(_read_characters_by_step)
def read_characters(page: Page) -> Characters:
    """Count the characters of each block by kind, and the words it shares with titles."""
    n_block = len(page.blocks)
    # A space after the text, so that every character has a next one.
    kind = np.append(kinds_of(page.character_codes), np.uint8(CharacterKind.SPACE))
    _, block = _block_of_characters(page)
    counted = (kind >= CharacterKind.UPPER).nonzero()[0]
    cell = block.take(counted) * _N_KIND + kind.take(counted)
    counts = np.bincount(cell, minlength=(n_block + 1) * _N_KIND).reshape(-1, _N_KIND)

    words = find_words(page)
    title, h1 = (_words_below(words, page, tag) for tag in (_TITLE, _H1))
    is_in = np.array((np.ones(words.hash.size), _is_in(words.hash, title), _is_in(words.hash, h1)))
    of_words = [np.bincount(words.block, weights, minlength=n_block + 1) for weights in is_in]
    return Characters(
        counts[:n_block].astype(np.int32),
        *_read_edges(page, kind),
        np.array(of_words)[:, :n_block].astype(np.int32),
        _add_up_words(words, page),
        len(set(title.tolist())),
    )


def find_words(page: Page) -> Words:
    """Find the words of a page, and hash them."""
    codes = page.character_codes
    kind = np.append(kinds_of(codes), np.uint8(CharacterKind.SPACE))
    start, block = _block_of_characters(page)
    word_start, word_stop = _cut_words(kind, start)
    return Words(
        _hash_words(symbols_of(codes), word_start, word_stop),
        word_start.astype(np.int32),
        word_stop.astype(np.int32),
        block.take(word_start),
    )


def _block_of_characters(page: Page) -> tuple[IntArray, IntArray]:
    """Return where each text starts, and the block of each character, n_block if in none."""
    block_of_row = np.full(len(page), len(page.blocks), np.int32)
    block_of_row[page.leaves] = page.blocks.of_leaf
    texts = (page.tag == TEXT).nonzero()[0]
    start, stop = page.text_offset.take((texts, texts + 1))
    return start, block_of_row.take(texts).repeat(stop - start)


def _add_up_words(words: Words, page: Page) -> Hashes:
    """Sum the hashes of each block's words; equal sums mean equal words."""
    hashes = words.hash * (words.block < len(page.blocks))
    sums = np.zeros(hashes.size + 1, np.uint64)
    hashes.cumsum(out=sums[1:])
    first = words.start.searchsorted(page.text_offset.take(page.block_leaf))
    before = sums.take(np.append(first, hashes.size))
    return before[1:] - before[:-1]


def _words_below(words: Words, page: Page, tag: int) -> Hashes:
    """Return the sorted hashes of the words in the first element with a tag that has any."""
    rows = (page.tag == tag).nonzero()[0]
    places = page.text_offset.take((rows, page.end.take(rows)))
    low, high = words.start.searchsorted(places)
    filled = (high > low).nonzero()[0]
    if not filled.size:
        return words.hash[:0]
    return np.sort(words.hash[low[filled[0]] : high[filled[0]]])


def _is_in(hashes: Hashes, known: Hashes) -> npt.NDArray[np.bool_]:
    """Flag the hashes that are among ``known``, which is sorted."""
    if not known.size:
        return np.zeros(hashes.size, np.bool_)
    is_known: npt.NDArray[np.bool_] = known.take(known.searchsorted(hashes), mode="clip") == hashes
    return is_known


def _read_edges(page: Page, kind: Bytes) -> tuple[Bytes, Bytes]:
    """Return the kinds of the first and the last visible character of each block."""
    first = page.text_offset.take(page.block_leaf)
    stop = page.text_offset.take(page.block_last_leaf + 1)
    last = stop - 1
    shows = kind != CharacterKind.SPACE
    # If an edge is a space, the visible text begins where that space ends, or ends where it begins.
    turns = (shows[1:] != shows[:-1]).nonzero()[0] + 1
    turns = np.concatenate(([0], turns, [kind.size - 1]))
    blank = (~shows.take(first)).nonzero()[0]
    first[blank] = turns.take(turns.searchsorted(first.take(blank), side="right"), mode="clip")
    blank = (~shows.take(last)).nonzero()[0]
    last[blank] = turns.take(turns.searchsorted(last.take(blank), side="right") - 1) - 1
    shown = first < stop
    return kind.take(first) * shown, kind.take(last) * shown


def _cut_words(kind: Bytes, start: IntArray) -> tuple[_Places, _Places]:
    """Find the words: runs of letters and digits, or single letters of an unspaced script.

    Returns their starts and stops. No word spans two texts, which begin at ``start``.
    """
    alone = kind == CharacterKind.UNSPACED
    inside = (kind >= CharacterKind.LETTER) & (kind <= CharacterKind.DIGIT)
    begins = inside.copy()
    begins[1:] &= ~inside[:-1] | alone[1:] | alone[:-1]
    begins[start] = inside[start]
    # A word stops where the next character is not in a word, or begins one.
    stops = inside[:-1] & (begins[1:] == inside[1:])
    return begins.nonzero()[0], stops.nonzero()[0] + 1


def _hash_words(symbols: Bytes, start: _Places, stop: _Places) -> Hashes:
    """Hash each word; different words collide with a probability of 1 in 2^64."""
    text = symbols.tobytes()
    words = pack_between(text, start, stop)
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
