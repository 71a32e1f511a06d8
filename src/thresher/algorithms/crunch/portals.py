"""Portals: pages that are nothing but links, in which the filters find no content to keep.

The paper shows one stripped bare, and says that it is looking for a heuristic to leave such pages
untouched. This one is ours: the page as a whole is a link list by the measure for cells, and what
the filters leave has hardly a sentence outside links.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thresher.algorithms.crunch.measures import count_letters, find_links, link_ratios
from thresher.algorithms.crunch.params import Params
from thresher.page import Page

__all__ = ["is_portal"]


def is_portal(page: Page, params: Params, gone: npt.NDArray[np.bool_]) -> bool:
    """Say whether a page is a portal, given the rows that the filters delete; bool[n_row]."""
    if not params.keep_portals:
        return False
    left = ~gone & ~page.within(find_links(page))
    words = count_letters(page)[left].sum() / params.letters_per_word
    if words >= params.min_content_words:
        return False
    return bool(link_ratios(page, params)[0] > params.max_link_ratio)
