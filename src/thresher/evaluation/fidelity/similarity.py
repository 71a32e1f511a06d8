"""Similarity of texts and sequences, and matching of the items of two lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from thresher.errors import MissingExtraError
from thresher.evaluation.lcs import count_common_sequence

__all__ = ["align", "bag_f1", "sequence_f1", "text_similarity"]

T = TypeVar("T")


def text_similarity(first: str, second: str) -> float:
    """Return 1 minus the Levenshtein distance over the greater length; raises MissingExtraError."""
    try:
        from rapidfuzz.distance import Levenshtein  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("the Levenshtein distance", "eval") from error
    return Levenshtein.normalized_similarity(first, second)


def bag_f1(found: Iterable[Hashable], gold: Iterable[Hashable]) -> float:
    """Return the F1 of common items with their multiplicity, in any order; 1 for none."""
    a, b = Counter(found), Counter(gold)
    total = a.total() + b.total()
    return 2 * (a & b).total() / total if total else 1.0


def sequence_f1(found: Sequence[Hashable], gold: Sequence[Hashable]) -> float:
    """Return the F1 of the longest common subsequence; 1 for none."""
    total = len(found) + len(gold)
    return 2 * count_common_sequence(found, gold) / total if total else 1.0


def align(
    found: Sequence[T], gold: Sequence[T], similarity: Callable[[T, T], float]
) -> list[tuple[int, int]]:
    """Match items of two lists, in order, so that the sum of similarities is maximal."""
    n, m = len(found), len(gold)
    alike = np.array([[similarity(a, b) for b in gold] for a in found]).reshape(n, m)
    best = np.zeros((n + 1, m + 1))
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            paired = best[i - 1, j - 1] + alike[i - 1, j - 1]
            best[i, j] = max(paired, best[i - 1, j], best[i, j - 1])
    pairs: list[tuple[int, int]] = []
    i, j = n, m
    while i and j:
        if best[i, j] == best[i - 1, j]:
            i -= 1
        elif best[i, j] == best[i, j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]
