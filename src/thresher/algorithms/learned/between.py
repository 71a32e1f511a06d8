"""What stands between kept blocks: kept with them, unless it surely is something else.

A choice of blocks looks at each by itself, but a reader misses what is left out in the middle of a
text more than at its end: the short items of a list, the numbers of a table, a formula, a picture,
a paragraph of three words. So the bar is lower there, and what stands between two kept blocks of
one container comes whole or not at all. A list is announced by the colon before it, and stays
whatever it is by itself, even links. Pictures, formulas and code, which no choice by words can
judge, come alone, too, and pictures of the text also where it begins and ends.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.roles import TextRoles
from thresher.features import Features
from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import CODE_OF, flags_of

FloatArray = npt.NDArray[np.float64]

# `python -m bench.rules` measures the rule (bench/results/measures.md): with weights that never saw
# a page's site, it closes holes on one page in twenty-four and makes four perfect for one that it
# spoils. Lower bars close more holes, but spoil more.
_MIN_PROBABILITY: Final = 0.3
"""Mean probability a word from which what stands between is kept."""
_MAX_FOREIGN: Final = 0.8
"""Probability to be of no scope from which a block keeps what stands with it between out."""
_COLONS: Final = (":", "：")
_MIN_ANNOUNCED: Final = 0.5
"""Probability of the block with the colon before a list, and of that behind it, from which the list
is kept. Chosen on pages of corpora that the weights saw nothing of."""
_MIN_WORDLESS: Final = 0.1
"""Probability from which a picture or code is kept."""
_MIN_PICTURE: Final = 0.6
"""Probability to be a caption or text from which a picture is kept, whatever that of the block is:
most texts that blocks are compared with have no pictures."""
_MIN_OUTER: Final = 0.9
"""The same where a text begins or ends."""
_MIN_CAPTION: Final = 0.5
"""The same from which a block is the caption of a picture."""
_REACH: Final = 5
"""Steps to a kept block, at most, on either side."""
_NEAR: Final = 2
"""The container of a picture before or behind a text that must hold some of it: this one, from 0,
or a nearer one."""
_MATH, _PRE = CODE_OF["math"], CODE_OF["pre"]
_CODE, _LISTS = flags_of("pre"), flags_of("ol ul")
_MAX_CREDIT: Final = 0.5
"""Mean probability to be bylines and dates from which they stay where they are, between a title and
its text."""


def find_between(
    page: Page,
    features: Features,
    keep: BoolArray,
    *,
    probability: FloatArray,
    roles: TextRoles,
    allowed: BoolArray,
) -> BoolArray:
    """Flag the dropped blocks to be kept with those before and after them; bool[n_block].

    ``probability`` float64[n_block] is that of being kept; where a block is not ``allowed``, all
    that stands there stays dropped.
    """
    between = _find_wordless(page, features, keep, probability, roles) & allowed
    kept = keep.nonzero()[0]
    last, upcoming = kept[:-1], kept[1:]
    inside = (upcoming - last > 1) & (features.chain.stop[-1].take(last) > upcoming)
    last, upcoming = last[inside], upcoming[inside]
    if not last.size:
        return between
    weight = features.words + 1.0  # a picture has no words, but counts too
    sums = np.zeros((4, keep.size + 1))
    shares = probability, roles.credit, ~allowed, np.ones(keep.size)
    amounts = np.array(shares, np.float64)
    np.cumsum(amounts * weight, axis=1, out=sums[:, 1:])
    *inside_sums, whole = sums.take(upcoming, axis=1) - sums.take(last + 1, axis=1)
    likely, credit, excluded = (amount / whole for amount in inside_sums)
    # From each first block to what is behind the last, and from there on to the next first one.
    foreign = np.maximum.reduceat(roles.foreign, np.column_stack((last + 1, upcoming)).ravel())[::2]
    stays = likely >= _MIN_PROBABILITY
    stays &= (credit < _MAX_CREDIT) & (foreign < _MAX_FOREIGN)
    sure = probability >= _MIN_ANNOUNCED
    announced = sure.take(last) & sure.take(upcoming) & ~stays
    for gap in announced.nonzero()[0].tolist():
        stays[gap] = _announces_list(page, int(last[gap]), int(upcoming[gap]))
    stays &= excluded == 0
    for start, stop in zip((last[stays] + 1).tolist(), upcoming[stays].tolist(), strict=True):
        between[start:stop] = True
    return between


def _announces_list(page: Page, block: int, other: int) -> bool:
    """Return whether a block ends in a colon, and all up to the other is a list directly behind."""
    lists, start = page.rows_of(_LISTS), page.blocks.start
    place = int(lists.searchsorted(page.block_leaf[block]))
    if place == lists.size:
        return False
    row = int(lists[place])
    first, behind = page.leaf_offset[row], page.leaf_offset[page.end[row]]
    around = page.parent[row]
    return bool(
        (start[block + 1] == first)
        & (start[other] == behind)
        & (around < page.block_leaf[block])
        & (page.end[around] > page.block_leaf[other])
    ) and page.block_text(block).endswith(_COLONS)


def _find_wordless(
    page: Page, features: Features, keep: BoolArray, probability: FloatArray, roles: TextRoles
) -> BoolArray:
    """Flag dropped pictures, formulas and code that stand among kept blocks, or begin or end them.

    Only what surely is a picture of the text is kept at its ends.
    """
    is_formula = page.tag.take(page.block_leaf) == _MATH
    wordless = features.words == 0
    pictures = wordless & (roles.caption + roles.text >= _MIN_PICTURE)
    wordless &= roles.foreign < _MAX_FOREIGN
    if page.rows_of(_CODE).size:
        wordless |= page.within(page.tag == _PRE).take(page.block_leaf)
    wordless &= probability >= _MIN_WORDLESS
    # No menu or advertisement has a formula.
    candidates: BoolArray = ~keep & (is_formula | pictures | wordless)
    place, kept = candidates.nonzero()[0], keep.nonzero()[0]
    if not place.size or not kept.size:
        return candidates & False
    chain, after = features.chain, kept.searchsorted(place)
    last, upcoming = kept.take(after - 1, mode="clip"), kept.take(after, mode="clip")
    follows, precedes = after > 0, after < kept.size
    # A caption is no distance: it is about the picture above or below it.
    steps = sum_before(keep | (roles.caption < _MIN_CAPTION))
    follows &= steps.take(place) - steps.take(last + 1) < _REACH
    precedes &= steps.take(upcoming) - steps.take(place + 1) < _REACH
    near = follows & precedes & (chain.stop[-1].take(last) > upcoming)
    begins = (after == 0) & precedes & (chain.stop[_NEAR].take(place) > upcoming)
    ends = (after == kept.size) & follows & (chain.first[_NEAR].take(place) <= last)
    near |= (begins | ends) & pictures.take(place) & (roles.caption.take(place) >= _MIN_OUTER)
    candidates[place[~near]] = False
    return candidates
