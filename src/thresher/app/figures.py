"""Figures for readers: pictures within the kept text, with their captions.

The labels that methods are trained on mostly leave captions out, and pictures that scripts would
load have no source that a method could see. Who reads an article wants both.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, REPLACED, flags_of
from thresher.roles import ROLES
from thresher.selection import Selection

__all__ = ["keep_figures"]

_FIGCAPTION, _FIGURE = CODE_OF["figcaption"], CODE_OF["figure"]
_CAPTION: Final = ROLES.index("caption")
_OTHER_PARTS: Final = flags_of("aside body footer form header nav")
"""Elements whose figures belong to other parts of a page than the text around them."""
_MAX_LINK_SHARE: Final = 0.5
"""Share of a figure's words in links above which it is a teaser of another page."""
_REASON: Final = "a figure within kept text"


def keep_figures(selection: Selection) -> Selection:
    """Also keep the pictures of figures within kept text, and the captions of kept pictures."""
    page = selection.page
    added = (_find_parts(page, selection.keep) | _find_captions(selection)) & ~selection.keep
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


def _find_parts(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the pictures and captions of all figures that are part of the kept text."""
    kept = np.concatenate(([0], np.cumsum(keep)))
    words = np.concatenate(([0], np.cumsum(page.leaf_words)))
    link_words = np.concatenate(([0], np.cumsum(page.leaf_link_words)))
    part = REPLACED[page.tag[page.leaves]] | page.within(page.tag == _FIGCAPTION)[page.leaves]
    found = np.zeros(keep.size, np.bool_)
    for row in np.flatnonzero(page.tag == _FIGURE).tolist():
        first, last = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
        n_word, n_link = words[last] - words[first], link_words[last] - link_words[first]
        if n_link > _MAX_LINK_SHARE * n_word:
            continue
        if kept[last] > kept[first] or _is_within_kept(page, kept, row):
            found[first:last] = part[first:last]
    return found


def _is_within_kept(page: Page, kept: np.ndarray[tuple[int], np.dtype[np.int_]], row: int) -> bool:
    """Return whether kept text precedes and follows a figure in the element that holds it."""
    first, last = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
    holder = int(page.parent[row])
    while holder >= 0 and not _OTHER_PARTS[page.tag[holder]]:
        start, stop = int(page.leaf_offset[holder]), int(page.leaf_offset[page.end[holder]])
        if (start, stop) != (first, last):
            return bool(kept[first] > kept[start] and kept[stop] > kept[last])
        holder = int(page.parent[holder])
    return False


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
