"""Matching of the words of two texts in the same order (longest common subsequence).

If a text contains the same words twice, several matches are longest. `match_words` takes the last
copy, `match_closely` the one whose words are closer together.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["match_closely", "match_words"]

IntArray = npt.NDArray[np.int64]


def match_words(words: Sequence[Hashable], gold: Sequence[Hashable]) -> IntArray:
    """Align words with the gold by a longest common subsequence: index in the gold, or −1.

    Bit-parallel (Hyyrö 2004): a row holds one bit per word, and each word of the gold updates a
    whole row. O(words · gold / 64) time, 8 times as many bytes.
    """
    place = np.full(len(words), -1, np.int64)
    known = set(gold)
    index = [i for i, word in enumerate(words) if word in known]
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
