"""Footnotes of kept references, which are kept too.

Notes stand apart, after the text, and are short and full of names and links, so they hardly look
like content. But the page says which sentence refers to which note. Where notes are a large part of
the page they are something else, such as a bibliography, and left to the network.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.analysis.footnotes import find_footnotes
from thresher.analysis.inner_links import find_inner_links
from thresher.features import Features
from thresher.page import Page
from thresher.page.rows import BoolArray

__all__ = ["find_notes"]


# By folds, without and with this (2026-11-22, the command of `captions`), word F1 in per cent:
# wcxb_dev 88.00, 87.98; magic_html, newspaper4k_424 and fundus_tests the same.
_MAX_SHARE: Final = 0.1
"""Largest share of the page's words in notes of kept references."""


def find_notes(page: Page, features: Features, keep: BoolArray) -> BoolArray:
    """Flag the dropped blocks of notes to be kept; bool[n_block]."""
    found = np.zeros(keep.size, np.bool_)
    if not keep.any():
        return found
    kept = keep[page.blocks.of_leaf]
    if not any(link.target > link.row for link in find_inner_links(page, kept)):
        return found
    everything = np.ones(page.leaves.size, np.bool_)
    footnotes = find_footnotes(page, everything, find_inner_links(page, everything))
    referred = {
        note
        for row, note in footnotes.references.items()
        if kept[page.leaf_offset[row] : page.leaf_offset[page.end[row]]].any()
    }
    for index in referred:
        note = footnotes.notes[index]
        found[page.blocks.of_leaf[note.first : note.stop]] = True
    found &= ~keep
    if features.words[found].sum() > _MAX_SHARE * features.words.sum():
        return np.zeros(keep.size, np.bool_)
    return found
