"""Keep text that, blurred with what surrounds it, is still text rather than markup.

Source: Thomas Gottron, "Content Code Blurring: A New Approach to Content Extraction", 2008, as
described in Arias et al. 2009.
Idea: each character of the page is 1 if text, 0 if markup: the content code vector. A Gaussian blur
spreads each value to its neighbours, again and again, until the values stabilise. Regions above a
threshold are then mostly text with little markup: the main content.
Score: blurred share of text, averaged over the text node, less the threshold; content is at 0 and
above.
Departures and known failures: docs/algorithms/ccb.md.
"""

from __future__ import annotations

from thresher.algorithms.classics.blurring import Params, select_dense
from thresher.page import Page
from thresher.selection import Selection

__all__ = ["Params", "select"]


def select(page: Page, params: Params) -> Selection:
    """Keep the leaves that are text above the threshold on average."""
    return select_dense(page, "ccb", params)
