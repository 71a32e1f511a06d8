"""Detection of portals: pages of nothing but links, of which the filters leave no content.

The paper shows one with everything removed, and leaves a heuristic to future work. This one is
ours: the page as a whole is a link list by the measure for cells, and the filters leave hardly a
sentence outside links.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thresher.algorithms.crunch.measures import count_letters, find_links, link_ratios
from thresher.algorithms.crunch.params import Params
from thresher.page import Page

__all__ = ["is_portal"]


def is_portal(page: Page, params: Params, gone: npt.NDArray[np.bool_]) -> bool:
    """Return whether a page is a portal, given the rows that filters delete, bool[n_row]."""
    if not params.keep_portals:
        return False
    left = ~gone & ~page.within(find_links(page))
    words = count_letters(page)[left].sum() / params.letters_per_word
    if words >= params.min_content_words:
        return False
    return bool(link_ratios(page, params)[0] > params.max_link_ratio)
