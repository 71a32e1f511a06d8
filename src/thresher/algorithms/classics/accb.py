"""Content code blurring that ignores anchors, for pages whose text is full of links.

Source: Thomas Gottron, "Content Code Blurring: A New Approach to Content Extraction", 2008: the
adapted form, ACCB, as described in Arias et al. 2009, which compares itself with it.
Idea: as `ccb`, but the tags of `a` elements are left out of the content code vector: neither text
nor markup. So the links in a wiki article do not lower its values.
"""

from __future__ import annotations

from thresher.algorithms.classics.blurring import Params, select_dense
from thresher.page import Page
from thresher.page.tags import CODE_OF
from thresher.selection import Selection

__all__ = ["Params", "select"]


def select(page: Page, params: Params) -> Selection:
    """Keep the leaves that are text above the threshold on average, anchors aside."""
    return select_dense(page, "accb", params, ignored=page.tag == CODE_OF["a"])
