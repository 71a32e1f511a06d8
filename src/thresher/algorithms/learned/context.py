"""What the decision about a block depends on: its own log-odds, and those of the page around it.

The networks judge a block by its features and by what surrounds it, but cannot see their own
verdict on the other blocks. A reader does: an unsure block between two sure ones of one container
belongs to them; the same block alone among links does not. So each block is described again, by the
output of the networks for itself, its neighbours, the nearest blocks that are probably content, its
containers, the blocks of its pattern (other messages of a thread, items of a list) and the page.
The decider (decider.py) decides by these numbers.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.calibration import sigmoid
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.roles import TextRoles
from thresher.deadline import check_deadline
from thresher.features import Features
from thresher.features.container_chain import N_LEVEL, ContainerChain
from thresher.native import Steps, kernel_with
from thresher.page.rows import BoolArray
from thresher.roles import ROLES, SCOPES

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]

_SHIFTS: Final = (-1, -2, -3, 1, 2, 3)
"""Neighbours whose log-odds are inputs."""
_PROBABLE: Final = (0.0, 2.5)
"""Log-odds above which a block counts as probably content, and as surely content."""
_N_CONTAINER: Final = 3
"""Containers, nearest first, that are described."""
_FAR_BLOCKS: Final = 4.0
_FAR_WORDS: Final = 6.0
_FAR_LEVELS: Final = 6.0
"""Logarithms of the distance, and the level, of a probable block that does not exist."""
_FORUM: Final = PAGE_TYPES.index("forum")
_UNSURE: Final = 1e-4
"""Bound of the probability to be of a role of the text, from 0 and from 1."""
_NEAR: Final = 8.0
"""Bound of log-odds as inputs, also of those of roles."""
_N_OWN: Final = 6
_N_BESIDE: Final = 10
_N_OF_CONTAINER: Final = 5
_N_OF_PATTERN: Final = 4
_N_PATTERN: Final = 2
_LIGHT: Final = 0.1
"""Words added to those of each block of a pattern, as pictures have none."""
_N_PAGE: Final = 7
N_INPUT: Final = (
    (_N_OWN + len(ROLES) + len(_SHIFTS) + 2)
    + (_N_BESIDE * len(_PROBABLE) + _N_OF_CONTAINER * _N_CONTAINER + _N_OF_PATTERN * _N_PATTERN)
    + (_N_PAGE + len(PAGE_TYPES) + len(SCOPES))
)
"""Numbers that describe a block."""


class PageScores(NamedTuple):
    """The network's output for a page with at least one block, and what else is needed of it."""

    log_odds: FloatArray
    """Log-odds that each block is content, by both networks where a decider follows;
    float64[n_block]."""
    roles: npt.NDArray[np.float32]
    """Unnormalised log-probabilities of roles; float32[n_block, n_role]."""
    words: npt.NDArray[np.int64]
    """int64[n_block]"""
    link_words: FloatArray
    """Words in links; float64[n_block]."""
    chain: ContainerChain
    patterns: npt.NDArray[np.int32]
    """As in `Features`; int32[2, n_block]."""
    types: FloatArray
    """Probability of each page type; float64[n_type]."""
    scope: int

    @classmethod
    def of(
        cls,
        features: Features,
        *,
        log_odds: FloatArray,
        roles: npt.NDArray[np.float32],
        types: FloatArray,
        scope: int,
    ) -> PageScores:
        """Join the network's output with what is needed of the page's features."""
        return cls(
            log_odds,
            roles,
            features.words,
            features.link_density.astype(np.float64) * features.words,
            features.chain,
            features.patterns,
            types,
            scope,
        )


def join_log_odds(log_odds: FloatArray, roles: TextRoles, types: FloatArray) -> FloatArray:
    """Return the mean of the log-odds by both networks; float64[n_block].

    By its role a block is content if it is body, table or code, or on a forum a post. The two
    networks err on different blocks, and their mean on fewer. −∞ stays as it is.
    """
    content = roles.text + types[_FORUM] * roles.comment
    by_role = np.log(np.maximum(content, _UNSURE) / np.maximum(1 - content, _UNSURE))
    return np.asarray((log_odds + by_role) / 2)


def _describe_context_by_step(steps: Steps, page: PageScores) -> FloatArray | None:
    return steps.describe_context(
        page.log_odds,
        page.roles,
        page.words,
        page.link_words,
        page.chain.first,
        page.chain.stop,
        page.patterns,
        page.types,
        page.scope,
        check_deadline,
    )


@kernel_with(_describe_context_by_step)
def describe_context(page: PageScores) -> FloatArray:
    """Describe each block by the scores around it; float64[n_block, N_INPUT]. O(n)."""
    log_odds = np.clip(page.log_odds, -_NEAR, _NEAR)
    words = page.words.astype(np.float64)
    probability = sigmoid(log_odds)
    place = np.arange(words.size)
    same = _find_level(page.chain, place[1:], place[:-1]) == 0
    columns = [
        log_odds / 3,
        probability,
        log_odds > 0,
        np.log1p(words) / 3,
        page.link_words / np.maximum(words, 1),
        words == 0,
        *(_weigh_roles(page.roles) / 3).T,
        *(_shift(log_odds, shift) / 3 for shift in _SHIFTS),
        np.append(False, same),
        np.append(_find_level(page.chain, place[:-1], place[1:]) == 0, False),
    ]
    for least in _PROBABLE:
        columns += _describe_nearest(page.chain, log_odds > least, words)
    columns += _describe_containers(page.chain, probability, words, page.link_words)
    for pattern in page.patterns:
        columns += _describe_pattern(pattern, log_odds, probability, words)
    inputs = np.empty((words.size, N_INPUT))
    inputs[:, : len(columns)] = np.stack(columns, axis=1)
    inputs[:, len(columns) :] = _describe_page(page, log_odds, probability, words)
    return inputs


def _weigh_roles(scores: npt.NDArray[np.float32]) -> FloatArray:
    """Return the log-probability of each role, at least −`_NEAR`; float64[n_block, n_role]."""
    apart = scores.astype(np.float64) - scores.max(axis=1, keepdims=True)
    logs = apart - np.log(np.exp(apart).sum(axis=1, keepdims=True))
    return np.asarray(np.maximum(logs, -_NEAR))


def _shift(log_odds: FloatArray, shift: int) -> FloatArray:
    """Return the log-odds of the block so many places on, −`_NEAR` beyond the page."""
    at = np.arange(log_odds.size) + shift
    inside = (at >= 0) & (at < log_odds.size)
    return np.where(inside, log_odds.take(at, mode="clip"), -_NEAR)


def _find_level(chain: ContainerChain, block: IntArray, other: IntArray) -> IntArray:
    """Return which container of a block is the nearest that holds another, `N_LEVEL` if none."""
    holds = (chain.first[:, block] <= other) & (other < chain.stop[:, block])
    return np.where(holds.any(axis=0), holds.argmax(axis=0), N_LEVEL)


def _describe_nearest(
    chain: ContainerChain, sure: BoolArray, words: FloatArray
) -> list[FloatArray]:
    """Describe the nearest sure blocks before and after each: distances, and common containers."""
    n_block = words.size
    place = np.arange(n_block)
    before = np.append(-1, np.maximum.accumulate(np.where(sure, place, -1))[:-1])
    from_end = np.where(sure, place, n_block)[::-1]
    after = np.append(np.minimum.accumulate(from_end)[::-1][1:], n_block)
    read = np.concatenate(([0.0], np.cumsum(words)))
    columns: list[FloatArray] = []
    levels = []
    for near, exists in ((before, before >= 0), (after, after < n_block)):
        other = near.clip(0, n_block - 1)
        first, last = np.minimum(place, other), np.maximum(place, other)
        between = read[last] - read[np.minimum(first + 1, last)]
        level = np.where(exists, _find_level(chain, place, other), _FAR_LEVELS)
        columns += [
            np.where(exists, np.log1p(np.abs(place - other)), _FAR_BLOCKS) / 2,
            np.where(exists, np.log1p(between), _FAR_WORDS) / 3,
            level / 3,
            np.where(exists, _find_level(chain, other, place), _FAR_LEVELS) / 3,
        ]
        levels.append(level)
    between_both = (before >= 0) & (after < n_block)
    return [*columns, np.maximum(*levels) / 3, between_both.astype(np.float64)]


def _describe_containers(
    chain: ContainerChain, probability: FloatArray, words: FloatArray, link_words: FloatArray
) -> list[FloatArray]:
    """Describe the nearest containers of each block by means and sizes."""
    parts = (probability, probability * words, words, link_words)
    sums = np.zeros((len(parts), words.size + 1))
    for row, part in zip(sums, parts, strict=True):
        np.cumsum(part, out=row[1:])
    columns: list[FloatArray] = []
    for first, stop in zip(chain.first[:_N_CONTAINER], chain.stop[:_N_CONTAINER], strict=True):
        n_expected, found_words, all_words, linked = sums[:, stop] - sums[:, first]
        columns += [
            n_expected / (stop - first),
            (found_words + 0.1) / (all_words + 0.2),
            np.log1p(stop - first) / 3,
            np.log1p(all_words) / 3,
            linked / np.maximum(all_words, 1),
        ]
    return columns


def _describe_pattern(
    pattern: npt.NDArray[np.int32], log_odds: FloatArray, probability: FloatArray, words: FloatArray
) -> list[FloatArray]:
    """Describe the other blocks of each block's pattern; a block alone by itself."""
    weight = words + _LIGHT
    parts = np.ones(words.size), log_odds, probability, weight, probability * weight
    others = [np.bincount(pattern, part)[pattern] - part for part in parts]
    count, odds, likely, heavy, likely_words = others
    is_alone = count == 0
    return [
        np.log1p(count) / 3,
        np.where(is_alone, log_odds, odds / np.maximum(count, 1)) / 3,
        np.where(is_alone, probability, likely / np.maximum(count, 1)),
        np.where(is_alone, probability, likely_words / np.maximum(heavy, _LIGHT / 2)),
    ]


def _describe_page(
    page: PageScores, log_odds: FloatArray, probability: FloatArray, words: FloatArray
) -> FloatArray:
    """Describe the page as a whole, its types and the scope; the same for every block."""
    n_word, n_expected = float(words.sum()), float((probability * words).sum())
    spread = float((probability * (1 - probability) * words).sum())
    whole = (
        np.log1p(words.size) / 4,
        np.log1p(n_word) / 6,
        n_expected / max(n_word, 1),
        np.log1p(n_expected) / 6,
        spread / max(n_expected, 1),
        log_odds.max() / 3,
        page.link_words.sum() / max(n_word, 1),
    )
    return np.concatenate((whole, page.types, np.eye(len(SCOPES))[page.scope]))
