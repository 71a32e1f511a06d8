"""What stands between kept blocks: kept with them, unless it surely is something else.

A choice of blocks looks at each by itself, but a reader misses what is left out in the middle of a
text more than at its end: the short items of a list, the numbers of a table, a formula, a picture,
a paragraph of three words. So the bar is lower there, and what stands between two kept blocks of
one container comes whole or not at all. Pictures, formulas and code, which no choice by words can
judge, come alone, too.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.roles import TextRoles
from thresher.features import Features
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, flags_of

__all__ = ["find_between"]

FloatArray = npt.NDArray[np.float64]

# `python -m bench.between` measures the rule on pages of sites not trained on: it makes twice as
# many pages perfect as it spoils. Lower bars close more holes, but spoil more. Captions are no text
# here, as texts of news leave them out.
_MIN_PROBABILITY: Final = 0.3
"""Mean probability a word from which what stands between is kept."""
_MIN_TEXT: Final = 0.95
"""The same of the roles of text."""
_MAX_FOREIGN: Final = 0.8
"""Probability to be of no scope from which a block keeps what stands with it between out."""
_MIN_WORDLESS: Final = 0.1
"""Probability from which a picture or code is kept."""
_REACH: Final = 3
"""Blocks between it and a kept one, at most, on either side."""
_NEAR: Final = 2
"""Its container that must hold both kept blocks: this one, from 0, or a nearer one."""
_MATH, _PRE = CODE_OF["math"], CODE_OF["pre"]
_CODE: Final = flags_of("pre")
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
    found = np.zeros(keep.size, np.bool_)
    kept = np.flatnonzero(keep)
    last, upcoming = kept[:-1], kept[1:]
    inside = (upcoming - last > 1) & (features.chain.stop[-1].take(last) > upcoming)
    last, upcoming = last[inside], upcoming[inside]
    if not last.size:
        return found
    weight = features.words + 1.0  # a picture has no words, but counts too
    sums = np.zeros((5, keep.size + 1))
    shares = probability, roles.text, roles.credit, ~allowed, np.ones(keep.size)
    amounts = np.array(shares, np.float64)
    np.cumsum(amounts * weight, axis=1, out=sums[:, 1:])
    *inside_sums, whole = sums.take(upcoming, axis=1) - sums.take(last + 1, axis=1)
    likely, text, credit, excluded = (amount / whole for amount in inside_sums)
    # From each first block to what is behind the last, and from there on to the next first one.
    foreign = np.maximum.reduceat(roles.foreign, np.column_stack((last + 1, upcoming)).ravel())[::2]
    stays = (likely >= _MIN_PROBABILITY) | (text >= _MIN_TEXT)
    stays &= (credit < _MAX_CREDIT) & (excluded == 0) & (foreign < _MAX_FOREIGN)
    for start, stop in zip((last[stays] + 1).tolist(), upcoming[stays].tolist(), strict=True):
        found[start:stop] = True
    return found | (_find_wordless(page, features, keep, probability) & allowed)


def _find_wordless(
    page: Page, features: Features, keep: BoolArray, probability: FloatArray
) -> BoolArray:
    """Flag dropped pictures, formulas and code that are near kept blocks on both sides."""
    is_formula = page.tag.take(page.block_leaf) == _MATH
    wordless = features.words == 0
    if page.rows_of(_CODE).size:
        wordless |= page.within(page.tag == _PRE).take(page.block_leaf)
    # No menu or advertisement has a formula.
    found: BoolArray = ~keep & (is_formula | (wordless & (probability >= _MIN_WORDLESS)))
    place, kept = found.nonzero()[0], keep.nonzero()[0]
    if not place.size or not kept.size:
        return found & False
    after = kept.searchsorted(place)
    last, upcoming = kept.take(after - 1, mode="clip"), kept.take(after, mode="clip")
    near = (last < place) & (place < upcoming)
    near &= (place - last <= _REACH) & (upcoming - place <= _REACH)
    near &= (features.chain.first[_NEAR].take(place) <= last) & (
        upcoming < features.chain.stop[_NEAR].take(place)
    )
    found[place[~near]] = False
    return found
