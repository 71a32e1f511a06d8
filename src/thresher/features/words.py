"""The first words of each block as numbers: a hash of the first letters of each.

What a block says often gives its role away: *copyright*, *advertisement*, *read more*, *3 min ago*.
No list of such words is needed: an embedding of hashed words learns them, in any language. Digits
are all alike, so that a year is a number of four digits, and letters of a script without spaces
count in pairs.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features.characters import find_words
from thresher.features.hashing import mix
from thresher.native import Steps, kernel_with
from thresher.page import Page
from thresher.page.characters import CharacterKind, kinds_of, symbols_of
from thresher.page.names import pack_between

BlockWords = npt.NDArray[np.uint16]

N_WORD: Final = 16
"""Words of a block that are read."""
N_BUCKET: Final = 8192
"""Different numbers of words: from 1 to this."""
NO_WORD: Final = 0
"""Stands behind the last word of a block of fewer words."""
_LETTERS: Final = 6
"""Letters of a word that count: more would tell forms of a word apart."""
_PAIR: Final = 2
_SIZE_SALT: Final = np.uint64(0x9E3779B97F4A7C15)
_SHIFT: Final = np.uint64(65 - N_BUCKET.bit_length())


def _read_words_by_step(steps: Steps, page: Page) -> BlockWords | None:
    codes, offsets = page.character_codes, page.text_offset
    return steps.read_words(codes, page.end, offsets, page.leaves, page.blocks.start)


@kernel_with(_read_words_by_step)
def read_words(page: Page) -> BlockWords:
    """Number the first words of each block; uint16[n_block, N_WORD], `NO_WORD` for missing ones."""
    words, codes, n_block = find_words(page), page.character_codes, len(page.blocks)
    inside = words.block < n_block
    start, stop, block = (column[inside] for column in (words.start, words.stop, words.block))
    kind = kinds_of(codes)
    size = np.minimum(stop - start, _LETTERS)
    # Two letters of an unspaced script, each a word of its own, side by side in one text.
    is_alone = kind.take(start) == CharacterKind.UNSPACED
    text = page.text_offset.searchsorted(start, side="right")
    joins = is_alone[:-1] & is_alone[1:] & (stop[:-1] == start[1:]) & (text[:-1] == text[1:])
    size[:-1][joins] = _PAIR

    rank = np.arange(block.size) - block.searchsorted(block)
    kept = rank < N_WORD
    start, size, block, rank = (column[kept] for column in (start, size, block, rank))
    symbols = np.where(kind == CharacterKind.DIGIT, np.uint8(ord("0")), symbols_of(codes))
    letters = pack_between(symbols.tobytes(), start, start + size).low
    numbers = np.full((n_block, N_WORD), NO_WORD, np.uint16)
    numbers[block, rank] = (mix(letters + size.astype(np.uint64) * _SIZE_SALT) >> _SHIFT) + 1
    return numbers
