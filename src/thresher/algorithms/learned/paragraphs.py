"""Paragraphs of a story that is mostly kept, which are kept too.

A choice of blocks one by one leaves out some paragraphs of a long text, such as short ones between
quotations. What stands directly beside kept paragraphs, and ends as a sentence does or is in
brackets, belongs to them. Lines without an end, such as "Read also" and the name of an agency, are
left to the network. It may be sure of only the beginning of a long text, as of one that quotes what
others said; if several of its paragraphs are kept, the rest is too, quotations included.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.landmarks import Landmarks
from thresher.features import Features
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF

__all__ = ["find_paragraphs"]

IntArray = npt.NDArray[np.integer]

_BLOCKQUOTE, _P = CODE_OF["blockquote"], CODE_OF["p"]
# On every labelled page, with the weights of its fold (2026-11-24, 8 folds, a script outside the
# repository), change of word F1 in points: magic_html +.15, readability +.09, l3s_gn1 +.08,
# fundus_tests +.07, newspaper4k_424 +.03, dragnet +.02, waddle_train and wcxb_dev +.01, zh_finance
# 0. Without the condition that a paragraph ends as a sentence, waddle_train lost .13. Lines in
# brackets, with the shipped weights (2026-11-25): dragnet +.002, newspaper4k_424 -.005, all others
# within .002.
# Long texts, with the shipped weights (2026-11-25, as above): fundus_tests -.019, newspaper4k_424
# and wcxb_dev -.004, whose labels leave out embedded posts; all others 0. Of the 1,363 pages of
# l3s_gn1, zh_finance, htmldate, postlight, pages_metascraper and pages_recipes four changed; what
# was added, quotations, notes and a paragraph with a colon, was read and is content.
_MIN_PARAGRAPHS: Final = 4
"""Paragraphs in one element from which they are a text."""
_MIN_KEPT: Final = 0.5
"""Share of their words that must be kept."""
_MIN_LONG: Final = 20
"""Paragraphs in one element, those of its quotations included, from which they are a long text."""
_MIN_KEPT_LONG: Final = 8
"""Paragraphs of a long text that must be kept."""
_MIN_SHARE_LONG: Final = 0.1
"""Share of its words that must be kept."""
_MIN_PROBABILITY_LONG: Final = 0.1
"""Probability below which a paragraph of a long text is dropped anyway."""
_MAX_LINKS: Final = 0.5
"""Share of a paragraph's words in links above which it does not count."""
_ENDS: Final = frozenset(".!?…。！？؟।۔")
"""Characters that end a sentence."""
_BRACKETS: Final = frozenset(zip("([（［【", ")]）］】", strict=True))
"""Brackets around a whole line, such as who made the picture above it."""
_COLONS: Final = frozenset(":：")
"""Characters that end what introduces a quotation, in a long text."""
_BEHIND: Final = "\"'”’»›)]」』） "
"""Characters that may follow them."""


def find_paragraphs(
    page: Page,
    features: Features,
    landmarks: Landmarks,
    keep: BoolArray,
    probability: npt.NDArray[np.float64],
) -> BoolArray:
    """Flag the dropped paragraphs of texts that are kept mostly, or long; bool[n_block]."""
    found = np.zeros(keep.size, np.bool_)
    rows, words = page.block_row, features.words
    prose = (page.tag.take(rows) == _P) & (words > 0)
    prose &= landmarks.link_words <= _MAX_LINKS * words
    parent = page.parent.take(rows)
    quoted = page.tag.take(parent) == _BLOCKQUOTE
    around = np.where(quoted, page.parent.take(parent), parent)
    has_kept = np.zeros(len(page), np.bool_)
    has_kept[around[prose & keep]] = True
    # Most pages have none.
    dropped = (prose & ~keep & has_kept.take(around)).nonzero()[0]
    if not dropped.size:
        return found
    every, kept = words * prose, words * (prose & keep)
    mostly = _flag_texts(page, parent, every, kept)
    mostly &= np.bincount(parent[prose], minlength=len(page)) >= _MIN_PARAGRAPHS
    is_found = mostly.take(parent.take(dropped))
    in_long = np.zeros_like(is_found)
    if np.count_nonzero(prose) >= _MIN_LONG:
        long = _flag_texts(page, around, every, kept, _MIN_SHARE_LONG)
        long &= np.bincount(around[prose], minlength=len(page)) >= _MIN_LONG
        long &= np.bincount(around[prose & keep], minlength=len(page)) >= _MIN_KEPT_LONG
        in_long = long.take(around.take(dropped))
        in_long &= probability.take(dropped) >= _MIN_PROBABILITY_LONG
        is_found |= in_long
    for block, is_long in zip(dropped[is_found].tolist(), in_long[is_found].tolist(), strict=True):
        text = page.block_text(block).strip()
        end = text.rstrip(_BEHIND)[-1:]
        is_complete = end in _ENDS or (text[:1], text[-1:]) in _BRACKETS
        found[block] = is_complete or (is_long and (quoted[block] or end in _COLONS))
    return found


def _flag_texts(
    page: Page, of: IntArray, words: IntArray, kept: IntArray, share: float = _MIN_KEPT
) -> BoolArray:
    """Flag the elements of which a share of the words is kept; bool[n_row].

    ``of`` is the element of each block, ``words`` and ``kept`` are its words; int[n_block].
    """
    every, known = (np.bincount(of, each, len(page)) for each in (words, kept))
    return (known >= share * every) & (known > 0)
