"""Words that a block shares with the page's titles, and blocks that stand on the page twice."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features.base import Counts, Matrix, list_features, log2p1, ratio
from thresher.features.characters import Characters
from thresher.features.hashing import Hashes, mix
from thresher.page import Page
from thresher.tags import CODE_OF

__all__ = ["FEATURES", "measure"]

_TITLE_FEATURES: Final = {
    "title_words": "share of the block's words that are in the page's title",
    "title_cover": "share of the title's words that are in the block",
    "h1_words": "share of the block's words that are in the first h1",
}
_COPY_FEATURES: Final = {
    "copies": "blocks with the same words, log",
    "first_copy": "the first of the blocks with the same words",
}
FEATURES: Final = (
    *list_features("title", "", (_TITLE_FEATURES,)),
    *list_features("own", "", (_COPY_FEATURES,)),
)

_TITLE, _H1 = CODE_OF["title"], CODE_OF["h1"]


def measure(counts: Counts, characters: Characters) -> Matrix:
    """Return the features of this group; float32[n_feature, n_block]."""
    page = counts.page
    n_block = counts.values.shape[1]
    inside = characters.word_block < n_block
    block, hashes = characters.word_block[inside], characters.word_hash[inside]
    n_word = np.bincount(block, minlength=n_block)

    title, h1 = (np.unique(_words_below(characters, page, tag)) for tag in (_TITLE, _H1))
    in_title, in_h1 = (
        np.bincount(block[_is_in(hashes, known)], minlength=n_block) for known in (title, h1)
    )
    key = np.zeros(n_block, np.uint64)
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    if starts.size:
        key[block[starts]] = np.add.reduceat(mix(hashes), starts)
    _, first, of_copy, n_copy = np.unique(
        key, return_index=True, return_inverse=True, return_counts=True
    )
    measured = np.empty((len(FEATURES), n_block), np.float32)
    measured[0] = ratio(in_title, n_word)
    measured[1] = np.minimum(ratio(in_title, np.int64(title.size)), 1)
    measured[2] = ratio(in_h1, n_word)
    measured[3] = log2p1(n_copy)[of_copy] * (n_word > 0)
    measured[4] = first[of_copy] == np.arange(n_block)
    return measured


def _words_below(characters: Characters, page: Page, tag: int) -> Hashes:
    """Return the hashes of the words inside the first element of a tag that has any."""
    rows = np.flatnonzero(page.tag == tag)
    places = page.text_offset.take((rows, page.end[rows]))
    low, high = characters.word_start.searchsorted(places)
    filled = np.flatnonzero(high > low)
    if not filled.size:
        return characters.word_hash[:0]
    return characters.word_hash[low[filled[0]] : high[filled[0]]]


def _is_in(hashes: Hashes, known: Hashes) -> npt.NDArray[np.bool_]:
    """Say which hashes are among some sorted ones."""
    if not known.size:
        return np.zeros(hashes.size, np.bool_)
    found: npt.NDArray[np.bool_] = known.take(np.searchsorted(known, hashes), mode="clip") == hashes
    return found
