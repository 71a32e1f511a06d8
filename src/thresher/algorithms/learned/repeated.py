"""Evidence from repetition: other pages of the site have the same text in the same place.

On article pages such text is hardly ever content, however confident the network is: of blocks with
2 to 4 log-odds, a fifth was content. Products, listings and collections repeat labels that are
content, so there repetition is ignored.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.page_type import story_probability

FloatArray = npt.NDArray[np.float64]

REPEATED_LOG_ODDS: Final = -4.66
"""Added to the calibrated log-odds of a block that is on all other pages of its site. Fitted by
maximum likelihood on 998 pages of 411 sites in four training corpora, with 1, 2, 5 and 10 other
pages known, each page with the weights that never saw its site (bench/results/sites.md)."""
_CERTAIN: Final = 0.5
"""Probability of the other page types from which repetition is ignored."""


def weigh_repetition(share: FloatArray, types: npt.NDArray[np.floating]) -> FloatArray:
    """Return what to add to each block's calibrated log-odds; float64[n_block].

    ``share`` is the share of other pages that have the block's text in its place, among those that
    have the place; 0 if unknown. ``types`` has the probability of each of `PAGE_TYPES`.
    """
    other = 1 - story_probability(types)
    return REPEATED_LOG_ODDS * max(1 - other / _CERTAIN, 0.0) * share
