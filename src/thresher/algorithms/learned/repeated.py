"""Evidence from repetition: other pages of the site have the same text in the same place.

On article pages such text is hardly ever content, however confident the network is: of blocks with
2 to 4 log-odds, a fifth was content. Products, listings and collections repeat labels that are
content, so there repetition is ignored.

The evidence only removes blocks, and only those that repeat: the decider reads the scores of the
blocks around each, so with lower ones it would drop titles and bylines beside what repeats. A
sentence that repeats among text that does not is the author's own, such as a signature.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.context import PageScores
from thresher.algorithms.learned.decide import Decision, decide
from thresher.algorithms.learned.model import Model
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.roles import pick_roles
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.roles import ROLES

FloatArray = npt.NDArray[np.float64]

_STORY_TYPES: Final = [PAGE_TYPES.index(name) for name in ("article", "documentation", "forum")]
"""Indices of the page types that tell something, rather than list or offer it."""
REPEATED_LOG_ODDS: Final = -4.66
"""Added to the calibrated log-odds of a block that is on all other pages of its site. Fitted by
maximum likelihood on 998 pages of 411 sites in four training corpora, with 1, 2, 5 and 10 other
pages known, each page with the weights that never saw its site (bench/results/sites.md)."""
_CERTAIN: Final = 0.5
"""Probability of the other page types from which repetition is ignored."""
_MOST: Final = 0.5
"""Share of pages that must have a block, and of the words beside a block of the text."""
_BODY: Final = ROLES.index("body")


def drop_repeated(
    decision: Decision,
    share: FloatArray,
    *,
    page: Page,
    model: Model,
    scores: PageScores,
    beta: float,
) -> Decision:
    """Return the decision of a page without the blocks that its site repeats.

    ``share`` float64[n_block] is the share of other pages that have the block's text in its place,
    among those that have the place; 0 if unknown.
    """
    often = share >= _MOST
    if not (often & decision.keep).any():
        return decision
    added = weigh_repetition(np.where(often, share, 0.0), scores.types)
    log_odds = scores.log_odds + added / float(model.calibration.block_slope[scores.scope])
    informed = decide(model, scores._replace(log_odds=log_odds), beta)
    gone = often & ~informed.keep & ~_find_own_text(page, scores, decision.keep, often)
    return decision._replace(
        keep=decision.keep & ~gone,
        probability=np.where(gone, informed.probability, decision.probability),
    )


def weigh_repetition(share: FloatArray, types: npt.NDArray[np.floating]) -> FloatArray:
    """Return what to add to each block's calibrated log-odds; float64[n_block].

    ``types`` has the probability of each of `PAGE_TYPES`.
    """
    other = 1 - float(types[_STORY_TYPES].sum())
    return REPEATED_LOG_ODDS * max(1 - other / _CERTAIN, 0.0) * share


def _find_own_text(page: Page, scores: PageScores, kept: BoolArray, often: BoolArray) -> BoolArray:
    """Flag blocks of text whose kept siblings mostly do not repeat, by words; bool[n_block]."""
    place = page.parent.take(page.block_row) + 1
    words = scores.words * kept
    own = np.bincount(place, words * often) < _MOST * np.bincount(place, words)
    is_own: BoolArray = own.take(place) & (pick_roles(scores.roles) == _BODY)
    return is_own
