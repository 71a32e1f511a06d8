"""Rules that derive reliable roles from markup and labels, for pages without role labels.

A caption is in `figcaption`, a date in `time`, readers' comments in elements named after them; the
title is the heading equal to the label's title, and whole paragraphs found in an article's label
are its body.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.comments import find_comments
from thresher.evaluation.corpora import LabelledPage
from thresher.features import Features
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of
from thresher.roles import NO_ROLE, ROLES

__all__ = ["label_by_rules"]

_CODE_OF: Final = {role: np.int8(code) for code, role in enumerate(ROLES)}
_HEADING: Final = flags_of("h1 h2")
_CAPTION: Final = flags_of("figcaption")
_TIME: Final = flags_of("time")
_PARAGRAPH: Final = flags_of("p")
_PRE: Final = flags_of("pre")
_NAVIGATION: Final = flags_of("nav")
_MAX_DATE_WORDS: Final = 8
_MIN_BODY_WORDS: Final = 15
_MIN_BODY_SHARE: Final = 0.9
"""Share of a paragraph's tokens that must be in the page's label."""
_ARTICLE_TYPES: Final = (None, "article", "documentation")


def label_by_rules(
    page: Page, features: Features, labelled: LabelledPage, share: npt.NDArray[np.float32]
) -> npt.NDArray[np.int8]:
    """Return the role of each block that a rule covers, `NO_ROLE` for others; int8[n_block].

    ``share`` float32[n_block] is the share of each block's tokens in the label.
    """
    roles = np.full(len(page.blocks), NO_ROLE, np.int8)
    leaf, words = page.block_leaf, features.words

    def inside(flags: BoolArray) -> BoolArray:
        return page.within(flags[page.tag])[leaf]

    comments = find_comments(page, features)
    if labelled.page_type in _ARTICLE_TYPES and labelled.text:
        body = inside(_PARAGRAPH) & (words >= _MIN_BODY_WORDS) & (share >= _MIN_BODY_SHARE)
        roles[body & ~comments] = _CODE_OF["body"]
        roles[comments & (words >= _MIN_BODY_WORDS)] = _CODE_OF["comment"]
        roles[inside(_TIME) & (words > 0) & (words <= _MAX_DATE_WORDS)] = _CODE_OF["date"]
    roles[inside(_NAVIGATION) & (share == 0)] = _CODE_OF["navigation"]
    roles[inside(_CAPTION) & (words > 0)] = _CODE_OF["caption"]
    roles[inside(_PRE) & (share >= _MIN_BODY_SHARE)] = _CODE_OF["code"]
    title = _fold(labelled.title or "")
    if title:
        for block in np.flatnonzero(_HEADING[page.tag[page.block_row]]).tolist():
            if _fold(page.block_text(block)) == title:
                roles[block] = _CODE_OF["title"]
    return roles


def _fold(text: str) -> str:
    return "".join(text.split()).casefold()
