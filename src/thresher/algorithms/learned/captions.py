"""Captions of kept pictures, which are kept too.

The labels of corpora mostly leave captions out, so the network does too. But a reader who sees a
picture wants to know what it shows.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.companions import flag_pictured
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, flags_of

__all__ = ["find_captions", "flag_figures"]


_CAPTIONS: Final = flags_of("figcaption")
_FIGURES: Final = flags_of("figure")
_FIGCAPTION, _FIGURE = CODE_OF["figcaption"], CODE_OF["figure"]
# By folds, with notes alone and with captions from 0.1, 0.3 and 0.4 on (2026-11-22: `python -m
# thresher.evaluation.leaderboard --role train --peer none -m learned --metric word --folds DIR`),
# word F1 in per cent: fundus_tests 97.06, 96.52, 97.06, 97.06; newspaper4k_424 92.78, 92.58, 92.77,
# 92.78; wcxb_dev 87.98, 87.93, 87.96, 87.97; magic_html 83.31, 83.35, 83.33, 83.31.
_MIN_PROBABILITY: Final = 0.4
"""Probability of being content below which a caption is dropped anyway."""


def flag_figures(page: Page) -> BoolArray:
    """Flag the blocks inside figures with a caption, kept or not; bool[n_block]."""
    captions, figures = page.rows_of(_CAPTIONS), page.rows_of(_FIGURES)
    if not captions.size or not figures.size:
        return np.zeros(len(page.blocks), np.bool_)
    ends = captions.searchsorted(page.end.take(figures))
    captioned = np.zeros(len(page), np.bool_)
    captioned[figures[ends > captions.searchsorted(figures)]] = True
    return page.within(captioned).take(page.block_leaf)


def find_captions(page: Page, keep: BoolArray, probability: npt.NDArray[np.float64]) -> BoolArray:
    """Flag the dropped blocks that are captions of kept pictures; bool[n_block]."""
    captions = page.tag == _FIGCAPTION
    if not captions.any():
        return np.zeros(keep.size, np.bool_)
    inside = (probability >= _MIN_PROBABILITY) & ~keep
    if inside.any():
        inside &= page.within(captions)[page.block_leaf]
    if not inside.any():
        return inside
    figures = page.tag == _FIGURE
    pictured = flag_pictured(page, figures, keep[page.blocks.of_leaf])
    figure = page.nearest(figures)[page.block_leaf]
    return np.asarray(inside & (figure >= 0) & pictured[figure])
