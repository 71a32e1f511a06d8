"""Keep the one region that has the most words in it and the most tags outside.

Source: Finn, Kushmerick and Smyth, "Fact or fiction: content classification for digital libraries",
2001 (Body Text Extraction); as described in the Crunch paper of 2003 and in Arias et al. 2009.
Idea: a page is a sequence of tags and words, and the main text one run of many words and few tags.
Of all pairs of positions i ≤ j take the one that maximises tags before i + words from i to j + tags
after j. That sum is a constant plus words − tags within the region, so the best pair is the run of
largest sum, found in one pass over prefix sums (Kadane); the authors try all pairs.
Score: the best region containing the block, minus the best of all, in tokens; so content is at 0,
all else below or, for an equally good region, at 0 too.
Departures and known failures: docs/algorithms/bte.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from thresher.algorithms.classics.sequence import tags_before
from thresher.page import Page
from thresher.selection import Selection
from thresher.support.settings import setting

_INSIDE, _BEFORE, _BEHIND, _NO_WORDS = range(4)
_REASONS: Final = (
    "inside the region of most words and fewest tags",
    "before the region of most words and fewest tags",
    "behind the region of most words and fewest tags",
    "the page has no words",
)


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of `bte`."""

    tag_weight: float = setting(
        1.0, "words that a tag counts for; the paper's is 1", unit="words", low=0
    )


def select(page: Page, params: Params) -> Selection:
    """Keep all leaves between the first and the last word of the best region."""
    has_words = np.diff(page.words_before) > 0
    candidate = has_words.copy()
    candidate[page.leaves] = True
    candidate[0] = True

    # A region from row i to row j gains the words in it and loses the tags in it.
    balance = page.words_before - params.tag_weight * tags_before(page)
    opening = np.where(candidate, balance[:-1], np.inf)
    closing = np.where(candidate, balance[:-1] + np.diff(page.words_before), -np.inf)
    least = np.minimum.accumulate(opening)
    most = np.maximum.accumulate(closing[::-1])[::-1]
    last = int(np.argmax(closing - least))
    first = int(np.argmin(opening[: last + 1]))

    row = np.arange(len(page))
    verdict = np.select([row < first, row > last], [_BEFORE, _BEHIND], _INSIDE)
    if not has_words.any():
        verdict[:] = _NO_WORDS
    return Selection.of_rows(
        page,
        "bte",
        verdict == _INSIDE,
        score=(most - least) - (closing[last] - least[last]),
        reason_code=verdict,
        reasons=_REASONS,
    )
