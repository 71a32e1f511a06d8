"""Positions of a page's tokens in its gold text, without assuming the same order.

`match_runs` matches runs common to both, in order; unmatched tokens can be matched again, which
finds moved text. A run is a maximal sequence of tokens that are consecutive on both sides. Runs
that follow each other in the gold and are near each other on the page form a chain; `drop_lone`
undoes runs outside chains, which match by chance.

Tokens are numbers: int64[n_token] ``words`` of the page and ``gold``, −1 for a token of the gold
that is not on the page. ``place`` int64[n_token] holds the position in the gold of each token of
the page, or −1; the functions modify it in place.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from thresher.evaluation.alignment.matching import match_closely, match_words
from thresher.page.rows import BoolArray

__all__ = ["drop_lone", "fill_gaps", "flag_grams", "match_runs", "move_near"]

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


class _Runs(NamedTuple):
    """Runs in the order of the gold; int64[n_run] each."""

    word: IntArray
    gold: IntArray
    size: IntArray


def match_runs(
    words: IntArray, gold: IntArray, place: IntArray, free: BoolArray, size: int
) -> IntArray:
    """Match free tokens in order, if they are in runs of ``size`` tokens common to both sides.

    Returns the tokens that were matched.
    """
    unused = _unused(gold, place)
    is_candidate = flag_grams(words, free, gold, unused, size)
    word_at = np.flatnonzero(is_candidate)
    gold_at = np.flatnonzero(flag_grams(gold, unused, words, is_candidate, size))
    found = match_closely(words[word_at], gold[gold_at], word_at, gold_at)
    matched = word_at[found >= 0]
    place[matched] = gold_at[found[found >= 0]]
    return matched


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
    found, keys = _find_grams(words, free, size)
    shared = found[np.isin(keys, _find_grams(others, others_free, size)[1])]
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
    """Flag the tokens of the gold that are on the page but not matched."""
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
            found = match_words(words[word_at].tolist(), gold[gold_at].tolist())
            place[word_at[found >= 0]] = gold_at[found[found >= 0]]


def _next_of(starts: IntArray, ends: IntArray, size: int) -> IntArray:
    """Return the next start after each end, at most `_FILL_TOKENS` away."""
    following = np.append(starts, size)[np.searchsorted(starts, ends)]
    stops: IntArray = np.minimum(following, ends + _FILL_TOKENS)
    return stops


def _mirror(place: IntArray, n_gold: int) -> IntArray:
    """Return the positions with both sides reversed."""
    return np.where(place < 0, -1, n_gold - 1 - place)[::-1].copy()


def _find_copies(words: IntArray, text: IntArray, free: BoolArray) -> IntArray:
    """Return the positions at which a text occurs in free tokens."""
    at = np.flatnonzero(free[: words.size - text.size + 1])
    for offset, word in enumerate(text.tolist()):
        at = at[(words[at + offset] == word) & free[at + offset]]
    return at
