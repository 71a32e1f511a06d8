"""Keep the one region that has the most words in it and the most tags outside.

Source: Finn, Kushmerick and Smyth, "Fact or fiction: content classification for digital libraries",
2001 (Body Text Extraction); as described in the Crunch paper of 2003 and in Arias et al. 2009.
Decides on: one range of tokens, from text to text. A token is a tag or a word.
Idea: the main text is one run of many words and few tags. Of all pairs of positions i ≤ j take the
one that maximises tags before i + words from i to j + tags after j.
That sum is a constant plus words − tags within the region, so the best pair is the run of largest
sum, found in one pass over prefix sums (Kadane); the authors try all pairs.
Score: the best region containing the block, minus the best of all, in tokens; so content is at 0,
all else below or, for an equally good region, at 0 too.
Parameters: `tag_weight`, words a tag counts for (1 in the paper; below 1 the region grows).
Cost: linear; prefix sums over rows only.
Departures: tags and words are those of the parsed page, so implied tags count, and comments and
scripts are not tokens: finding the source's own tags would need a second parse. Words are counted
as everywhere in Thresher, so that scripts without spaces work. Of equally good regions, the one
that ends first and begins first is taken; the paper does not say.
Known failures: text in several bodies (the region spans everything between, or covers only one);
comments as long as the article; menus and teasers inside the region; pages that spend many tags on
each word.
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
