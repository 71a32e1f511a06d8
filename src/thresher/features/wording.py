"""Features of the words that a block shares with the page's titles, and of repeated blocks."""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.features.base import Operands, list_features
from thresher.features.characters import Characters
from thresher.features.siblings import group_equal

_SHARES: Final = {
    "title_words": "share of the block's words that are in the page's title",
    "title_cover": "share of the title's words that are in the block",
    "h1_words": "share of the block's words that are in the first h1",
}
FEATURES: Final = (
    *list_features("title", "", "share", _SHARES),
    *list_features("block", "", "log", {"copies": "blocks with the same words, log"}),
    *list_features("block", "", "value", {"first_copy": "first of the blocks with the same words"}),
)


def measure(characters: Characters) -> Operands:
    """Return the operands of this group's features."""
    n_word, in_title, in_h1 = characters.words
    n_title = np.full(n_word.size, characters.n_title)
    copies = group_equal(characters.word_sum.view(np.int64))
    n_copy = copies.size.take(copies.group) * (n_word > 0)
    return Operands(
        [n_copy[None]],
        [np.array((in_title, np.minimum(in_title, n_title), in_h1))],
        [np.array((n_word, n_title, n_word))],
        [copies.before[None] == 0],
    )
