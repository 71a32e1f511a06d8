"""Figures for readers: pictures within the kept text, with their captions.

The labels that methods are trained on mostly leave captions out, and pictures that scripts would
load have no source that a method could see. Who reads an article wants both.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from thresher.analysis.companions import find_figures
from thresher.page.rows import BoolArray
from thresher.roles import ROLES
from thresher.selection import Selection

__all__ = ["keep_figures"]

_CAPTION: Final = ROLES.index("caption")
_REASON: Final = "a figure within kept text"


def keep_figures(selection: Selection) -> Selection:
    """Also keep the pictures of figures within kept text, and the captions of kept pictures."""
    page = selection.page
    added = (find_figures(page, selection.keep) | _find_captions(selection)) & ~selection.keep
    added &= ~selection.dropped_by_rule
    if not added.any():
        return selection
    blocks = page.blocks.any(added) & ~selection.block_keep
    reason_code = np.where(blocks, len(selection.reasons), selection.reason_code)
    return replace(
        selection,
        keep=selection.keep | added,
        reason_code=reason_code.astype(np.int16),
        reasons=(*selection.reasons, _REASON),
    )


def _find_captions(selection: Selection) -> BoolArray:
    """Flag the captions next to kept pictures outside figures, where the method knows roles."""
    page, codes = selection.page, selection.role_code
    if codes is None:
        return np.zeros(selection.keep.size, np.bool_)
    words = page.blocks.sums(page.leaf_words)
    pictures = selection.block_keep & (words == 0)
    beside = np.zeros_like(pictures)
    beside[1:] |= pictures[:-1]
    return np.asarray((beside & (codes == _CAPTION) & (words > 0))[page.blocks.of_leaf])
