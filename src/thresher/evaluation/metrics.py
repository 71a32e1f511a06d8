"""Metrics: precision and recall of the main content that was found.

Every metric compares the found text with the gold, the text a human marked, and gives precision,
recall and F1. They differ in what they count: characters of the longest common substring or
subsequence (Arias, Deschacht, Moens 2009, section 5.2), words, shingles of four words. An empty
gold is matched only by an empty text, with 1; otherwise, if either is empty, all three are 0.

The longest common substring is found with a suffix automaton of the shorter text (Blumer et al.
1985, The smallest automaton recognizing the subwords of a text) in linear time: 6 ms for texts of
10,000 and 16,000 characters, 0.13 s and some 40 MB for two of 100,000. The subsequence is computed
by RapidFuzz, which fills 64 cells of the table in one step (Hyyrö 2004, Bit-parallel LCS-length
computation revisited): 4 ms and 0.16 s for the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import stdev
from typing import Final, NamedTuple

from thresher.errors import MissingExtraError, UsageError
from thresher.evaluation.tokens import split_tokens, split_words
from thresher.support.quoting import quote

SHINGLE_WORDS: Final = 4
"""Words in a shingle (ScrapingHub's article-extraction-benchmark)."""
DEFAULT_METRICS: Final = ("word", "lcstring", "lcsequence")
_START: Final = 0
"""The state in which nothing is matched."""


class Score(NamedTuple):
    """The agreement of a found text with the gold; each number is from 0 to 1."""

    precision: float
    """The share of the found text that is gold."""
    recall: float
    """The share of the gold that was found."""
    f1: float
    """Their harmonic mean."""


def score_words(found: str, gold: str) -> Score:
    r"""Compare two texts as bags of words: runs of ``\w``, in lower case (WCXB's word F1)."""
    return score_bags(split_words(found.lower()), split_words(gold.lower()))


def score_tokens(found: str, gold: str) -> Score:
    """Compare two texts as bags of tokens, which do not depend on spaces between words."""
    return score_bags(split_tokens(found), split_tokens(gold))


def score_shingles(found: str, gold: str) -> Score:
    """Compare two texts as bags of shingles of four words, case-sensitively.

    As in ScrapingHub's article-extraction-benchmark. A text of fewer words is one shingle.
    """
    return score_bags(_shingles(split_words(found)), _shingles(split_words(gold)))


def score_rouge_l(found: str, gold: str) -> Score:
    """Compare two texts by their longest common subsequence of tokens.

    ROUGE-L of whole texts with β = 1 (Lin 2004, ROUGE, section 3.1). Raises MissingExtraError.
    """
    number_of: dict[str, int] = {}
    found_tokens, gold_tokens = (
        [number_of.setdefault(token, len(number_of)) for token in split_tokens(text)]
        for text in (found, gold)
    )
    shared = count_common_sequence(found_tokens, gold_tokens)
    return _score(shared, len(found_tokens), len(gold_tokens))


def score_lcstring(found: str, gold: str) -> Score:
    """Compare two texts by their longest common substring, ignoring white space."""
    found, gold = _squeeze(found), _squeeze(gold)
    return _score(count_common_string(found, gold), len(found), len(gold))


def score_lcsequence(found: str, gold: str) -> Score:
    """Compare two texts by their longest common subsequence of characters, ignoring white space.

    Raises MissingExtraError if RapidFuzz is not installed.
    """
    found, gold = _squeeze(found), _squeeze(gold)
    return _score(count_common_sequence(found, gold), len(found), len(gold))


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric with the explanation that readers of its numbers need."""

    score: Callable[[str, str], Score]
    """``score(found, gold)``"""
    title: str
    summary: str
    source: str


METRICS: Final[Mapping[str, Metric]] = {
    "word": Metric(
        score_words,
        "Words",
        "words in common, as often as they occur, in any order",
        "WCXB's word F1",
    ),
    "token": Metric(
        score_tokens,
        "Tokens",
        "as word, and in scripts without spaces each letter is a word",
        "word, for all languages",
    ),
    "shingle": Metric(
        score_shingles,
        "Shingles",
        "runs of four words in common",
        "ScrapingHub, article-extraction-benchmark",
    ),
    "rouge_l": Metric(
        score_rouge_l, "ROUGE-L", "longest sequence of tokens in common", "Lin 2004, ROUGE"
    ),
    "lcstring": Metric(
        score_lcstring,
        "LCString",
        "longest string of characters in common, white space ignored",
        "Arias, Deschacht, Moens 2009",
    ),
    "lcsequence": Metric(
        score_lcsequence,
        "LCSequence",
        "longest sequence of characters in common, white space ignored",
        "Arias, Deschacht, Moens 2009",
    ),
}
"""Every metric by name."""


def check_metrics(names: Iterable[str]) -> None:
    """Check that the metrics exist and can be computed here.

    Raises UsageError for an unknown name, MissingExtraError if one needs a package that is not
    installed.
    """
    for name in names:
        if name not in METRICS:
            raise UsageError(f"unknown metric {quote(name)}; one of {', '.join(METRICS)}")
        METRICS[name].score("", "")


def _squeeze(text: str) -> str:
    return "".join(text.split())


def _shingles(words: list[str]) -> list[tuple[str, ...]]:
    if len(words) < SHINGLE_WORDS:
        return [tuple(words)] if words else []
    return list(zip(*(words[start:] for start in range(SHINGLE_WORDS)), strict=False))


def score_bags(found: Iterable[Hashable], gold: Iterable[Hashable]) -> Score:
    """Compare two bags of anything, such as words."""
    found_count, gold_count = Counter(found), Counter(gold)
    shared = (found_count & gold_count).total()
    return _score(shared, found_count.total(), gold_count.total())


def _score(n_shared: int, n_found: int, n_gold: int) -> Score:
    if not n_found and not n_gold:
        return Score(1.0, 1.0, 1.0)
    if not n_shared:
        return Score(0.0, 0.0, 0.0)
    return Score(n_shared / n_found, n_shared / n_gold, 2 * n_shared / (n_found + n_gold))


def count_common_string(first: str, second: str) -> int:
    """Return the length, in characters, of the longest common substring."""
    shorter, longer = sorted((first, second), key=len)
    follow, fallback, depth = _build_automaton(shorter)
    state = matched = longest = 0
    for char in longer:
        while state != _START and char not in follow[state]:
            state = fallback[state]
            matched = depth[state]
        if char in follow[state]:
            state = follow[state][char]
            matched += 1
            longest = max(longest, matched)
    return longest


def count_common_sequence(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Return the length of the longest common subsequence.

    Raises MissingExtraError if RapidFuzz is not installed.
    """
    try:
        from rapidfuzz.distance import LCSseq
    except ImportError as error:
        raise MissingExtraError("the longest common sequence", "eval") from error
    return LCSseq.similarity(first, second)


def _build_automaton(text: str) -> tuple[list[dict[str, int]], list[int], list[int]]:
    """Build the automaton that accepts exactly the substrings of a text.

    Returns for each state its transitions; its suffix link, -1 for the start; and the length of its
    longest string.
    """
    follow: list[dict[str, int]] = [{}]
    fallback, depth = [-1], [0]
    last = _START
    for char in text:
        new = len(follow)
        follow.append({})
        fallback.append(_START)
        depth.append(depth[last] + 1)
        state = last
        while state >= 0 and char not in follow[state]:
            follow[state][char] = new
            state = fallback[state]
        if state >= 0:
            target = follow[state][char]
            if depth[target] != depth[state] + 1:
                # The target also has longer strings, which do not end here: split it.
                clone = len(follow)
                follow.append(follow[target].copy())
                fallback.append(fallback[target])
                depth.append(depth[state] + 1)
                fallback[target] = clone
                while state >= 0 and follow[state].get(char) == target:
                    follow[state][char] = clone
                    state = fallback[state]
                target = clone
            fallback[new] = target
        last = new
    return follow, fallback, depth


def standard_error(values: Sequence[float]) -> float:
    """Return the standard error of the mean of values; 0 for a single value, for lack of data."""
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
