"""Words that a block shares with the page's titles, and blocks that stand on the page twice."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features.alike import find_alike
from thresher.features.base import Counts, Operands, list_features
from thresher.features.characters import Characters
from thresher.features.hashing import Hashes
from thresher.page import Page
from thresher.tags import CODE_OF

__all__ = ["FEATURES", "measure"]

_SHARES: Final = {
    "title_words": "share of the block's words that are in the page's title",
    "title_cover": "share of the title's words that are in the block",
    "h1_words": "share of the block's words that are in the first h1",
}
FEATURES: Final = (
    *list_features("title", "", "share", _SHARES),
    *list_features("own", "", "log", {"copies": "blocks with the same words, log"}),
    *list_features(
        "own", "", "value", {"first_copy": "the first of the blocks with the same words"}
    ),
)

_TITLE, _H1 = CODE_OF["title"], CODE_OF["h1"]


def measure(counts: Counts, characters: Characters) -> Operands:
    """Return the operands of this group's features."""
    n_block = counts.n_block
    block, hashes = characters.word_block, characters.word_hash
    n_word = np.bincount(block, minlength=n_block + 1)[:n_block]
    title, h1 = (_words_below(characters, counts.page, tag) for tag in (_TITLE, _H1))
    known = _is_in(hashes, np.sort(np.concatenate((title, h1)))).nonzero()[0]
    in_title, in_h1 = (
        np.bincount(block.take(known), _is_in(hashes.take(known), words), minlength=n_block + 1)
        for words in (title, h1)
    )
    n_title = len(set(title.tolist()))
    copies = find_alike(_add_up_words(counts.page, characters))
    n_copy = copies.size.take(copies.group) * (n_word > 0)
    return Operands(
        [n_copy[None]],
        [np.array((in_title, np.minimum(in_title, n_title), in_h1))[:, :n_block]],
        [np.array((n_word, np.repeat(n_title, n_block), n_word))],
        [copies.before[None] == 0],
    )


def _add_up_words(page: Page, characters: Characters) -> npt.NDArray[np.int64]:
    """Add up the words of each block in such a way that equal sums mean equal words."""
    hashes = characters.word_hash * (characters.word_block < len(page.blocks))
    sums = np.zeros(hashes.size + 1, np.uint64)
    hashes.cumsum(out=sums[1:])
    first = characters.word_start.searchsorted(page.text_offset.take(page.block_leaf))
    before = sums.take(np.append(first, hashes.size))
    return (before[1:] - before[:-1]).view(np.int64)


def _words_below(characters: Characters, page: Page, tag: int) -> Hashes:
    """Return the hashes of the words inside the first element of a tag that has any, sorted."""
    rows = (page.tag == tag).nonzero()[0]
    places = page.text_offset.take((rows, page.end.take(rows)))
    low, high = characters.word_start.searchsorted(places)
    filled = (high > low).nonzero()[0]
    if not filled.size:
        return characters.word_hash[:0]
    return np.sort(characters.word_hash[low[filled[0]] : high[filled[0]]])


def _is_in(hashes: Hashes, known: Hashes) -> npt.NDArray[np.bool_]:
    """Say which hashes are among some sorted ones."""
    if not known.size:
        return np.zeros(hashes.size, np.bool_)
    found: npt.NDArray[np.bool_] = known.take(known.searchsorted(hashes), mode="clip") == hashes
    return found
