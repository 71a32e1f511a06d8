"""Alignment of a page's blocks with its gold text, which labels the blocks as content.

Gold texts do not say where on the page they occur. Words of a menu occur in them by chance, their
order may differ from the page's, and a page may contain the same text twice: for print, for small
screens, as a teaser. So tokens are matched in runs, long runs first, in order each time, and then
between matched neighbours. Of several copies, visible ones are preferred, then the one closest to
its neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.evaluation.alignment.places import (
    drop_lone,
    fill_gaps,
    flag_grams,
    match_runs,
    move_near,
)
from thresher.evaluation.tokens import split_tokens
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF
from thresher.support.cached import cached_property

__all__ = ["Alignment", "align_blocks"]

IntArray = npt.NDArray[np.int64]

_TEXTAREA: Final = CODE_OF["textarea"]
_MAX_CELLS: Final = 2 * 10**9
"""Tokens of a page × tokens of its gold; alignment takes an eighth of that in bytes."""
_RUN_TOKENS: Final = (4, 4, 3, 2)
"""Tokens per run, one round of matching each."""
_COPY_TOKENS: Final = 4
"""Tokens of the shortest text treated as a copy; shorter ones occur anywhere by chance."""
_COPY_SHARE: Final = 0.8
"""Share of a copy's tokens that must occur in the gold in such runs."""
_MIN_SHARE: Final = 0.5
"""Share of matched tokens from which a block counts as matched."""
_VISIBLE_SHARE: Final = 0.5
"""Visible share of the gold found on the page from which hidden text is matched last."""


@dataclass(frozen=True, eq=False)
class Alignment:
    """The share of each block that is in the gold, each gold token used once; read-only.

    ``tokens`` and ``matched`` are int32[n_block]: tokens of a block, and those found in the gold.
    ``is_copy`` bool[n_block] flags unmatched blocks whose text is in the gold but was matched to
    another block; training may leave them out. ``recall`` is the share of the gold's tokens that
    were found, 1 for an empty gold; a low value means that the label belongs to another page.
    """

    tokens: npt.NDArray[np.int32]
    matched: npt.NDArray[np.int32]
    is_copy: BoolArray
    recall: float

    def __post_init__(self) -> None:
        for array in (self.tokens, self.matched, self.is_copy):
            array.setflags(write=False)

    @cached_property
    def share(self) -> npt.NDArray[np.float32]:
        """Share of each block's tokens found in the gold, 0 without tokens; float32[n_block]."""
        share = (self.matched / np.maximum(self.tokens, 1)).astype(np.float32)
        share.setflags(write=False)
        return share


def align_blocks(page: Page, gold: str) -> Alignment | None:
    """Align the blocks of a page with its gold text, letter case ignored.

    None if they are too long to align. O(tokens · gold tokens / 64) time; a typical page takes
    about 10 ms.
    """
    number_of: dict[str, int] = {}
    texts = [
        [number_of.setdefault(token, len(number_of)) for token in split_tokens(text)]
        for text in map(page.block_text, range(len(page.blocks)))
    ]
    tokens = np.array([len(text) for text in texts], np.int64)
    words = np.array([word for text in texts for word in text], np.int64)
    gold_words = np.array([number_of.get(token, -1) for token in split_tokens(gold)], np.int64)
    if words.size * gold_words.size > _MAX_CELLS:
        return None

    block = np.repeat(np.arange(tokens.size), tokens)
    place = _place_tokens(words, gold_words, _is_visible(page)[block])
    matched = np.bincount(block[place >= 0], minlength=tokens.size)
    every = np.ones(words.size, np.bool_)
    in_gold = flag_grams(words, every, gold_words, gold_words >= 0, _COPY_TOKENS)
    n_in_gold = np.bincount(block[in_gold], minlength=tokens.size)
    return Alignment(
        tokens.astype(np.int32),
        matched.astype(np.int32),
        (tokens > 0) & (n_in_gold >= _COPY_SHARE * tokens) & (matched < _MIN_SHARE * tokens),
        float(matched.sum() / gold_words.size) if gold_words.size else 1.0,
    )


def _is_visible(page: Page) -> BoolArray:
    """Flag the blocks that are neither hidden nor inside a text field; bool[n_block]."""
    first = page.leaves[page.blocks.start[:-1]]
    visible: BoolArray = (page.hidden[first] == 0) & ~page.within(page.tag == _TEXTAREA)[first]
    return visible


def _place_tokens(words: IntArray, gold: IntArray, visible: BoolArray) -> IntArray:
    """Return the position in the gold of each token of the page, or −1; int64[n_token]."""
    place = np.full(words.size, -1, np.int64)
    if not words.size or not gold.size:
        return place
    every = np.ones(words.size, np.bool_)
    size = _RUN_TOKENS[0]
    n_found, n_visible = (
        np.count_nonzero(flag_grams(gold, gold >= 0, words, free, size))
        for free in (every, visible)
    )
    for free in (visible, every) if n_visible >= _VISIBLE_SHARE * n_found else (every,):
        for size in _RUN_TOKENS:
            match_runs(words, gold, place, free & (place < 0), min(size, gold.size))
            drop_lone(gold, place)
        fill_gaps(words, gold, place, free)
        drop_lone(gold, place)
        move_near(words, gold, place, free)
        fill_gaps(words, gold, place, free)
        drop_lone(gold, place)
    return place
