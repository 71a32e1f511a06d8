"""Candidate cuts of the ranked blocks, with the features by which one is chosen.

The ranking of blocks causes the smaller part of the error, the number of blocks kept the larger. A
candidate is a cut: it keeps the blocks whose log-odds reach it. Four cuts are the sets with the
highest expected F-measure (choice.py) when the log-odds are multiplied by a slope of at most 1;
three are fixed. Which is best depends on the page: where all content looks alike, as in a list or a
shop, doubtful blocks belong to it; where some blocks are certain, they do not.

Subtrees of containers around the most probable blocks were tried as candidates too, each with four
cuts: an oracle would gain .011 from them, a trained chooser gained nothing (docs/training.md).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.calibration import sigmoid
from thresher.native import Steps, kernel_with

__all__ = ["CANDIDATES", "N_INPUT", "Candidates", "find_candidates"]

FloatArray = npt.NDArray[np.float64]

_SLOPES: Final = (0.2, 0.35, 0.6, 1.0)
"""Factors of the log-odds; below 1 they count as less certain."""
_CUTS: Final = (-1.5, 0.0, 1.5)
CANDIDATES: Final = (
    *(f"highest expected F1 at {slope:g} of the log-odds" for slope in _SLOPES),
    *(f"log-odds of {cut:g} or more" for cut in _CUTS),
)
"""Description of each candidate, in order."""
_N_SCOPE: Final = 4
_N_TYPE: Final = 7
_N_SET: Final = 26
_N_PAGE: Final = 9
N_INPUT: Final = _N_SET + _N_PAGE + _N_TYPE + _N_SCOPE + len(CANDIDATES)
"""Features of a candidate."""

_DOUBTFUL: Final = 0.35
"""Slope of the second, less certain set of probabilities."""
_SLOPE_ARRAY: Final = np.array(_SLOPES)
_CUT_ARRAY: Final = np.array(_CUTS)
_NEAR: Final = 6.0
"""Bound of log-odds as inputs."""


class Candidates(NamedTuple):
    """The candidates of a page."""

    cut: FloatArray
    """Log-odds from which a block is kept; float64[n_candidate]."""
    words: FloatArray
    """Words of the blocks kept; float64[n_candidate]."""
    inputs: FloatArray
    """Features; float64[n_candidate, N_INPUT]."""


def find_candidates(
    log_odds: npt.NDArray[np.floating],
    words: npt.NDArray[np.integer],
    link_words: npt.NDArray[np.floating],
    types: FloatArray,
    *,
    empty_score: float,
    scope: int,
) -> Candidates:
    """Find and describe the candidates of a page with at least one block.

    ``log_odds``, ``words`` and ``link_words`` are [n_block], ``types`` the probabilities of page
    types; ``empty_score`` is the network's log-odds that there is no main content. O(n log n).
    """
    order = (-log_odds).argsort(kind="stable").astype(np.int64, copy=False)
    return _describe_candidates(
        log_odds, words, link_words, types, order, empty_score=empty_score, scope=scope
    )


def _describe_candidates_by_step(  # noqa: PLR0917
    steps: Steps,
    log_odds: npt.NDArray[np.floating],
    words: npt.NDArray[np.integer],
    link_words: npt.NDArray[np.floating],
    types: FloatArray,
    order: npt.NDArray[np.int64],
    *,
    empty_score: float,
    scope: int,
) -> Candidates | None:
    found = steps.find_candidates(
        log_odds,
        words,
        link_words,
        order,
        _SLOPE_ARRAY,
        _CUT_ARRAY,
        _DOUBTFUL,
        types,
        empty_score,
        scope,
    )
    return Candidates(*found) if found else None


@kernel_with(_describe_candidates_by_step)
def _describe_candidates(
    log_odds: npt.NDArray[np.floating],
    words: npt.NDArray[np.integer],
    link_words: npt.NDArray[np.floating],
    types: FloatArray,
    order: npt.NDArray[np.int64],
    *,
    empty_score: float,
    scope: int,
) -> Candidates:
    """Describe the candidates; ``order`` sorts by descending log-odds."""
    ranked = log_odds[order].astype(np.float64)
    n_word, n_link = words[order].astype(np.float64), link_words[order].astype(np.float64)
    sure = sigmoid(ranked)
    unsure = sigmoid(ranked * _DOUBTFUL)
    amounts = np.empty((7, ranked.size + 1))
    amounts[:, 0] = 0
    parts = (n_word, sure * n_word, unsure * n_word, sure * (1 - sure) * n_word, n_link, sure)
    for row, part in zip(amounts, parts, strict=False):
        np.cumsum(part, out=row[1:])
    amounts[6] = np.arange(ranked.size + 1)
    cut = np.concatenate((_cut_by_expectation(ranked, n_word), _CUTS))
    kept = ranked.size - ranked[::-1].searchsorted(cut)
    held = amounts[:, kept]
    total = amounts[:, -1]
    sets = _describe_sets(held, total)
    shape = _describe_shape(log_odds, words, order, kept, cut)
    bounds = _describe_bounds(ranked, kept, cut)
    page = _describe_page(ranked, total, empty_score)
    inputs = np.zeros((cut.size, N_INPUT))
    inputs[:, :_N_SET] = np.stack((*sets, *shape, *bounds), axis=1)
    inputs[:, _N_SET : _N_SET + _N_PAGE] = page
    behind = _N_SET + _N_PAGE
    inputs[:, behind : behind + _N_TYPE] = types
    inputs[:, behind + _N_TYPE + scope] = 1
    inputs[:, -cut.size :] = np.eye(cut.size)
    return Candidates(cut, held[0], inputs)


def _cut_by_expectation(ranked: FloatArray, n_word: FloatArray) -> FloatArray:
    """Return the log-odds at which the expected F1 is highest, for each slope; [n_slope]."""
    probability = sigmoid(ranked * _SLOPE_ARRAY[:, None])
    found = np.cumsum(probability * n_word, axis=1)
    measure = 2 * found / np.maximum(np.cumsum(n_word) + found[:, -1:], 1e-9)
    measure[:, :-1][:, ranked[1:] == ranked[:-1]] = -1  # ties are kept or dropped together
    return np.asarray(ranked.take(measure.argmax(axis=1)))


def _describe_sets(held: FloatArray, total: FloatArray) -> tuple[FloatArray, ...]:
    """Describe candidates by sums over their blocks."""
    words, found, doubted, spread, links, mean, count = held
    most = np.maximum(words, 1e-6)
    all_words, all_found, all_doubted = (max(float(part), 1e-6) for part in total[:3])
    return (
        found / most,
        found / all_found,
        2 * found / np.maximum(words + all_found, 1e-6),
        doubted / most,
        doubted / all_doubted,
        2 * doubted / np.maximum(words + all_doubted, 1e-6),
        words / all_words,
        count / total[6],
        spread / most,
        (total[3] - spread) / all_words,
        np.log1p(words) / 8,
        np.log1p(count) / 6,
        links / most,
        (total[4] - links) / np.maximum(total[0] - words, 1),
        mean / np.maximum(count, 1),
    )


def _describe_shape(
    log_odds: npt.NDArray[np.floating],
    words: npt.NDArray[np.integer],
    order: npt.NDArray[np.intp],
    kept: npt.NDArray[np.intp],
    cut: FloatArray,
) -> tuple[FloatArray, ...]:
    """Describe candidates by the positions of their blocks on the page."""
    n_block = log_odds.size
    pairs = np.sort(np.minimum(log_odds[1:], log_odds[:-1]))
    runs = kept - (pairs.size - pairs.searchsorted(cut))
    last_kept = np.maximum(kept - 1, 0)
    first = np.minimum.accumulate(order)[last_kept]
    last = np.maximum.accumulate(order)[last_kept]
    before = np.concatenate(([0], np.cumsum(words)))
    span = before[last + 1] - before[first]
    kept_words = np.concatenate(([0], np.cumsum(words[order])))[kept]
    return (
        np.log1p(runs) / 4,
        runs / np.maximum(kept, 1),
        kept_words / np.maximum(span, 1),
        span / max(int(before[-1]), 1),
        first / n_block,
        last / n_block,
    )


def _describe_bounds(
    ranked: FloatArray, kept: npt.NDArray[np.intp], cut: FloatArray
) -> tuple[FloatArray, ...]:
    """Describe candidates by the log-odds of the last block kept and the first one dropped."""
    padded = np.concatenate(([_NEAR], ranked, [-_NEAR]))
    least, most = padded[kept], padded[kept + 1]
    columns = (least, most, least - most, cut, np.where(kept == 0, _NEAR, 0.0))
    return tuple(np.clip(column, -_NEAR, _NEAR) / 4 for column in columns)


def _describe_page(ranked: FloatArray, total: FloatArray, empty_score: float) -> tuple[float, ...]:
    """Describe the page as a whole."""
    words, found = max(float(total[0]), 1e-6), float(total[1])
    return (
        float(ranked[0]) / 4,
        float(ranked[ranked.size // 10]) / 4,
        float(np.log1p(ranked.size)) / 7,
        float(np.log1p(total[0])) / 8,
        float(np.log1p(found)) / 8,
        found / words,
        float(total[3]) / words,
        float(total[4]) / words,
        empty_score / 6,
    )
