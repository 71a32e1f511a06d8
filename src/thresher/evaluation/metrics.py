r"""Metrics: precision and recall of the main content that was found.

Every metric compares the found text with the gold, the text a human marked, and gives precision,
recall and F1. They differ in what they count: characters of the longest common substring or
subsequence (Arias, Deschacht, Moens 2009, section 5.2), words, shingles of four words. An empty
gold is matched only by an empty text, with 1; otherwise, if either is empty, all three are 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from thresher.errors import UsageError
from thresher.evaluation.lcs import count_common_sequence, count_common_string
from thresher.evaluation.tokens import split_tokens, split_words
from thresher.support.quoting import quote

__all__ = [
    "DEFAULT_METRICS",
    "METRICS",
    "Metric",
    "Score",
    "check_metrics",
    "score_bags",
    "score_lcsequence",
    "score_lcstring",
    "score_rouge_l",
    "score_shingles",
    "score_tokens",
    "score_words",
]

SHINGLE_WORDS: Final = 4
"""Words in a shingle (ScrapingHub's article-extraction-benchmark)."""


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
        score_rouge_l,
        "ROUGE-L",
        "longest sequence of tokens in common",
        "Lin 2004, ROUGE",
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

DEFAULT_METRICS: Final = ("word", "lcstring", "lcsequence")


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
    """Return the score for the counts of shared, found and gold items."""
    if not n_found and not n_gold:
        return Score(1.0, 1.0, 1.0)
    if not n_shared:
        return Score(0.0, 0.0, 0.0)
    return Score(n_shared / n_found, n_shared / n_gold, 2 * n_shared / (n_found + n_gold))
