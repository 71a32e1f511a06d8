"""Mending of a choice: what belongs to kept blocks is kept with them.

A cut of a ranking takes no account of how a page is built. The rules of this package's other
modules do; they are applied one after the other, as each looks at what those before have kept.

What each is worth was measured on 6,258 labelled pages by weights that had not seen their sites,
and on the 1,980 pages of `thresher.evaluation.structures` (docs/algorithms/learned.md).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.announced import find_announced_lists
from thresher.algorithms.learned.captions import find_captions, flag_figures
from thresher.algorithms.learned.gaps import find_gaps
from thresher.algorithms.learned.reasons import Reason
from thresher.algorithms.learned.structures import complete_structures
from thresher.features import Features
from thresher.page import Page
from thresher.page.rows import BoolArray

__all__ = ["mend"]

FloatArray = npt.NDArray[np.float64]


def mend(
    page: Page, features: Features, keep: BoolArray, probability: FloatArray, allowed: BoolArray
) -> tuple[BoolArray, dict[Reason, BoolArray]]:
    """Add allowed blocks that belong to kept ones.

    Returns all kept blocks, bool[n_block], and those added for each reason.
    """
    changed = {Reason.GAP: find_gaps(page, features, keep, probability)}
    keep = keep | changed[Reason.GAP]
    whole = complete_structures(page, features, keep, probability)
    # A picture in the text does not part what stands before and after it.
    pictured = flag_figures(page) & ~keep
    if pictured.any():
        whole |= complete_structures(page, features, keep | pictured, probability) & ~pictured
    whole &= allowed
    keep |= whole
    changed[Reason.WHOLE] = whole | (find_announced_lists(page, features, keep) & allowed)
    keep |= changed[Reason.WHOLE]
    changed[Reason.CAPTION] = find_captions(page, keep, probability) & allowed
    keep |= changed[Reason.CAPTION]
    return keep, changed
