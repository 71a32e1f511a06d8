"""Alignment of a page's blocks with its gold text, which labels the blocks as content.

Gold texts do not say where on the page they occur. Words of a menu occur in them by chance, their
order may differ from the page's, and a page may contain the same text twice: for print, for small
screens, as a teaser. So tokens are matched in runs, long runs first, in order each time, and then
between matched neighbours; tokens that are left can be matched again, which finds moved text. Of
several copies, visible ones are preferred, then the one closest to its neighbours.

A run is a maximal sequence of tokens that are consecutive on both sides. Runs that follow each
other in the gold and are near each other on the page form a chain; runs outside chains match by
chance, and are undone.

Tokens are numbers: int64[n_token] ``words`` of the page and ``gold``, −1 for a token of the gold
that is not on the page. ``place`` int64[n_token] holds the position in the gold of each token of
the page, or −1; the functions modify it in place.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from thresher.evaluation.tokens import split_tokens
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF

IntArray = npt.NDArray[np.int64]
_CHAIN_TOKENS: Final = 4
"""Tokens of the shortest chain that is not a match by chance."""
_NEAR_TOKENS: Final = 60
"""Tokens of the widest gap between two runs of a chain, on either side."""
_SHORT_RUN_TOKENS: Final = 2
"""A run this short is in a chain only if at most one token of the gold lies between."""
_FILL_TOKENS: Final = 30
"""Tokens searched before and after a run."""
_MOVED_TOKENS: Final = 40
"""Tokens of the longest run that is moved; for longer runs neighbours are not decisive."""
_FACTORS: Final = np.array([1, 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], "u8")
"""Odd factors that hash a few tokens to one number; a collision costs a useless candidate."""
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
_MIN_RECALL: Final = 0.5
"""Share of a label that must be on the page; below it the label belongs to another page."""
_VISIBLE_SHARE: Final = 0.5
"""Visible share of the gold found on the page from which hidden text is matched last."""


def match_words(words: Sequence[Hashable], gold: Sequence[Hashable]) -> IntArray:
    """Align words with the gold by a longest common subsequence: index in the gold, or −1.

    Bit-parallel (Hyyrö 2004): a row holds one bit per word, and each word of the gold updates a
    whole row. O(words · gold / 64) time, 8 times as many bytes.
    """
    place = np.full(len(words), -1, np.int64)
    gold_words = set(gold)
    index = [i for i, word in enumerate(words) if word in gold_words]
    at: dict[Hashable, int] = {}
    for bit, i in enumerate(index):
        at[words[i]] = at.get(words[i], 0) | 1 << bit
    full = (1 << len(index)) - 1
    rows = [full]
    for word in gold:
        row = rows[-1]
        hit = row & at.get(word, 0)
        rows.append(((row + hit) | (row - hit)) & full)

    # A bit is 0 where its word lengthens the subsequence. Walking back, equal words match.
    bit, step = len(index) - 1, len(gold)
    while bit >= 0 and step > 0:
        if words[index[bit]] == gold[step - 1]:
            place[index[bit]] = step - 1
            bit -= 1
            step -= 1
        elif rows[step] >> bit & 1:
            bit -= 1
        else:
            step -= 1
    return place


def match_closely(
    words: IntArray, gold: IntArray, word_at: IntArray, gold_at: IntArray
) -> IntArray:
    """Align words with the gold by the longest common subsequence that has the smallest gaps.

    ``word_at`` and ``gold_at`` are the positions of the words before filtering. The last and the
    first match share some pairs; between two of these either may be taken, as both are equally
    long.
    """
    last = match_words(words.tolist(), gold.tolist())
    mirrored = match_words(words[::-1].tolist(), gold[::-1].tolist())[::-1]
    first = np.where(mirrored < 0, -1, gold.size - 1 - mirrored)
    shared = np.flatnonzero((last == first) & (last >= 0))
    edges = np.concatenate(([-1], shared, [words.size]))
    differs = np.flatnonzero(last != first)
    for section in np.unique(np.searchsorted(edges, differs)).tolist():
        start, stop = edges[section - 1 : section + 1].tolist()
        around = slice(max(start, 0), stop + 1)
        gaps = [_sum_gaps(match[around], word_at[around], gold_at) for match in (first, last)]
        if gaps[0] <= gaps[1]:
            last[start + 1 : stop] = first[start + 1 : stop]
    return last


def _sum_gaps(place: IntArray, word_at: IntArray, gold_at: IntArray) -> float:
    """Sum the logarithms of the gaps between matches on both sides: many small gaps cost most."""
    matched = place >= 0
    gaps = np.concatenate((np.diff(word_at[matched]), np.diff(gold_at[place[matched]])))
    return float(np.log2(gaps).sum())


class _Runs(NamedTuple):
    """Runs in the order of the gold; int64[n_run] each."""

    word: IntArray
    gold: IntArray
    size: IntArray


def match_runs(
    words: IntArray, gold: IntArray, place: IntArray, free: BoolArray, size: int
) -> None:
    """Match free tokens in order, if they are in runs of ``size`` tokens common to both sides."""
    unused = _unused(gold, place)
    is_candidate = flag_grams(words, free, gold, unused, size)
    word_at = np.flatnonzero(is_candidate)
    gold_at = np.flatnonzero(flag_grams(gold, unused, words, is_candidate, size))
    match = match_closely(words[word_at], gold[gold_at], word_at, gold_at)
    place[word_at[match >= 0]] = gold_at[match[match >= 0]]


def drop_lone(gold: IntArray, place: IntArray) -> IntArray:
    """Undo the matches of runs that are not in a sufficiently long chain; return their tokens."""
    runs = _find_runs(place)
    chain = _number_chains(runs)
    tokens = np.bincount(chain, runs.size)[chain]
    lone = tokens < min(_CHAIN_TOKENS, gold.size)
    dropped = _tokens_of(runs.word[lone], runs.size[lone])
    place[dropped] = -1
    return dropped


def fill_gaps(words: IntArray, gold: IntArray, place: IntArray, free: BoolArray) -> None:
    """Match free tokens directly after or before a run with the gold at the same side."""
    _fill_behind(words, gold, place, free)
    mirrored = _mirror(place, gold.size)
    _fill_behind(words[::-1], gold[::-1], mirrored, free[::-1])
    place[:] = _mirror(mirrored, gold.size)


def move_near(words: IntArray, gold: IntArray, place: IntArray, free: BoolArray) -> None:
    """Move each run that is a chain by itself to its copy nearest to a neighbour.

    Neighbours are the runs before and after it in the gold.
    """
    runs = _find_runs(place)
    chain = _number_chains(runs)
    alone = (np.bincount(chain)[chain] == 1) & (runs.size <= _MOVED_TOKENS)
    for run in np.flatnonzero(alone).tolist():
        start, first, size = (int(column[run]) for column in runs)
        ends = runs.word[run - 1 : run] + runs.size[run - 1 : run]
        neighbours = np.concatenate((ends, runs.word[run + 1 : run + 2]))
        if not neighbours.size:
            continue
        own = slice(start, start + size)
        place[own] = -1
        is_open = free & (place < 0)
        is_open[own] = True
        copies = _find_copies(words, words[own], is_open)
        distance = np.abs(copies[:, None] - neighbours).min(axis=1)
        nearest = int(copies[np.argmin(distance)])
        place[nearest : nearest + size] = np.arange(first, first + size)


def flag_grams(
    words: IntArray, free: BoolArray, others: IntArray, others_free: BoolArray, size: int
) -> BoolArray:
    """Flag the free tokens in runs of ``size`` tokens that also occur in the others."""
    starts, keys = _find_grams(words, free, size)
    shared = starts[np.isin(keys, _find_grams(others, others_free, size)[1])]
    flags = np.zeros(words.size, np.bool_)
    flags[shared[:, None] + np.arange(size)] = True
    return flags


def _find_grams(
    words: IntArray, free: BoolArray, size: int
) -> tuple[IntArray, npt.NDArray[np.uint64]]:
    """Return the starts of runs of ``size`` free tokens, and a hash of each."""
    if words.size < size:
        return np.zeros(0, np.int64), np.zeros(0, np.uint64)
    at = np.flatnonzero(sliding_window_view(free, size).all(axis=1))
    keys = sliding_window_view(words.astype(np.uint64), size)[at] @ _FACTORS[:size]
    return at, keys


def _unused(gold: IntArray, place: IntArray) -> BoolArray:
    unused = gold >= 0
    unused[place[place >= 0]] = False
    return unused


def _find_runs(place: IntArray) -> _Runs:
    word = np.flatnonzero(place >= 0)
    gold = place[word]
    begins = np.ones(word.size, np.bool_)
    begins[1:] = (np.diff(word) != 1) | (np.diff(gold) != 1)
    start = np.flatnonzero(begins)
    order = np.argsort(gold[start])
    size = np.diff(np.append(start, word.size))
    return _Runs(word[start][order], gold[start][order], size[order])


def _number_chains(runs: _Runs) -> IntArray:
    """Number the chains; int64[n_run], the chain of each run."""
    if not runs.size.size:
        return np.zeros(0, np.int64)
    word_end, gold_end = runs.word + runs.size, runs.gold + runs.size
    word_gap = np.maximum(runs.word[1:] - word_end[:-1], runs.word[:-1] - word_end[1:])
    is_short = np.minimum(runs.size[1:], runs.size[:-1]) <= _SHORT_RUN_TOKENS
    reach = np.where(is_short, 1, _NEAR_TOKENS)
    linked = (word_gap <= _NEAR_TOKENS) & (runs.gold[1:] - gold_end[:-1] <= reach)
    return np.concatenate(([0], np.cumsum(~linked)))


def _tokens_of(start: IntArray, size: IntArray) -> IntArray:
    """Return the tokens of runs, concatenated."""
    before = np.cumsum(size) - size
    return np.repeat(start - before, size) + np.arange(size.sum())


def _fill_behind(words: IntArray, gold: IntArray, place: IntArray, free: BoolArray) -> None:
    runs = _find_runs(place)
    is_open, unused = free & (place < 0), _unused(gold, place)
    word_end, gold_end = runs.word + runs.size, runs.gold + runs.size
    # Windows end where the next match begins, so they do not overlap.
    word_stop = _next_of(np.sort(runs.word), word_end, words.size)
    gold_stop = _next_of(runs.gold, gold_end, gold.size)
    for bounds in zip(word_end, word_stop, gold_end, gold_stop, strict=True):
        start, stop, gold_start, gold_last = map(int, bounds)
        word_at = np.flatnonzero(is_open[start:stop]) + start
        gold_at = np.flatnonzero(unused[gold_start:gold_last]) + gold_start
        if word_at.size and gold_at.size:
            match = match_words(words[word_at].tolist(), gold[gold_at].tolist())
            place[word_at[match >= 0]] = gold_at[match[match >= 0]]


def _next_of(starts: IntArray, ends: IntArray, size: int) -> IntArray:
    following = np.append(starts, size)[np.searchsorted(starts, ends)]
    stops: IntArray = np.minimum(following, ends + _FILL_TOKENS)
    return stops


def _mirror(place: IntArray, n_gold: int) -> IntArray:
    """Return the positions with both sides reversed."""
    return np.where(place < 0, -1, n_gold - 1 - place)[::-1].copy()


def _find_copies(words: IntArray, text: IntArray, free: BoolArray) -> IntArray:
    at = np.flatnonzero(free[: words.size - text.size + 1])
    for offset, word in enumerate(text.tolist()):
        at = at[(words[at + offset] == word) & free[at + offset]]
    return at


@dataclass(frozen=True, eq=False)
class Alignment:
    """The share of each block that is in the gold, each gold token used once.

    ``tokens`` and ``matched`` are int32[n_block]: tokens of a block, and those found in the gold;
    ``share`` float32[n_block] is their ratio, 0 without tokens. ``is_copy`` bool[n_block] flags
    unmatched blocks whose text is in the gold but was matched to another block; training may leave
    them out. ``recall`` is the share of the gold's tokens that were found, 1 for an empty gold; a
    low value means that the label belongs to another page.
    """

    tokens: npt.NDArray[np.int32]
    matched: npt.NDArray[np.int32]
    share: npt.NDArray[np.float32]
    is_copy: BoolArray
    recall: float

    @property
    def weight(self) -> npt.NDArray[np.float32]:
        """Tokens of each block; 0 for copies of content, which are not scored; float32[n_block]."""
        return np.where(self.is_copy, 0, self.tokens).astype(np.float32)

    @property
    def n_gold(self) -> float:
        """Tokens of the gold."""
        return float(self.matched.sum()) / max(self.recall, 1e-9)


def align_label(page: Page, text: str) -> Alignment | None:
    """Align a page with its label as `align_blocks`; None also for the label of another page."""
    alignment = align_blocks(page, text)
    return alignment if alignment and alignment.recall >= _MIN_RECALL else None


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
        (matched / np.maximum(tokens, 1)).astype(np.float32),
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
