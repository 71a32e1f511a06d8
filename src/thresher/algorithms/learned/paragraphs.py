"""Paragraphs of a story that is mostly kept, which are kept too.

A choice of blocks one by one leaves out some paragraphs of a long text, such as short ones between
quotations. What stands directly beside kept paragraphs, and ends as a sentence does, belongs to
them. Lines without an end, such as "Read also" and the name of an agency, are left to the network.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.algorithms.learned.landmarks import Landmarks
from thresher.features import Features
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF

__all__ = ["find_paragraphs"]

_P: Final = CODE_OF["p"]
# On every labelled page, with the weights of its fold (2026-11-24, 8 folds, a script outside the
# repository), change of word F1 in points: magic_html +.15, readability +.09, l3s_gn1 +.08,
# fundus_tests +.07, newspaper4k_424 +.03, dragnet +.02, waddle_train and wcxb_dev +.01, zh_finance
# 0. Without the condition that a paragraph ends as a sentence, waddle_train lost .13.
_MIN_PARAGRAPHS: Final = 4
"""Paragraphs in one element from which they are a text."""
_MIN_KEPT: Final = 0.5
"""Share of their words that must be kept."""
_MAX_LINKS: Final = 0.5
"""Share of a paragraph's words in links above which it does not count."""
_ENDS: Final = frozenset(".!?…。！？؟।۔")
"""Characters that end a sentence."""
_BEHIND: Final = "\"'”’»›)]」』） "
"""Characters that may follow them."""


def find_paragraphs(
    page: Page, features: Features, landmarks: Landmarks, keep: BoolArray
) -> BoolArray:
    """Flag the dropped paragraphs of texts that are mostly kept; bool[n_block]."""
    found = np.zeros_like(keep)
    rows, words = page.block_row, features.words
    prose = (page.tag.take(rows) == _P) & (words > 0)
    prose &= landmarks.link_words <= _MAX_LINKS * words
    parent = page.parent.take(rows)
    has_kept = np.zeros(len(page), np.bool_)
    has_kept[parent[prose & keep]] = True
    # Most pages have none.
    dropped = (prose & ~keep & has_kept.take(parent)).nonzero()[0]
    if not dropped.size:
        return found
    n_paragraph = np.bincount(parent[prose], minlength=len(page))
    every = np.bincount(parent[prose], words[prose], len(page))
    kept = np.bincount(parent[prose], (words * keep)[prose], len(page))
    is_text = (kept >= _MIN_KEPT * every) & (n_paragraph >= _MIN_PARAGRAPHS)
    for block in dropped[is_text.take(parent.take(dropped))].tolist():
        found[block] = page.block_text(block).rstrip(_BEHIND)[-1:] in _ENDS
    return found
