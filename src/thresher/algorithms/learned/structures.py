"""Structures kept as a whole: tables, lists and the like between kept text, and headings.

Cells, items and terms are a few words that hardly look like content, so a choice of blocks by their
words breaks structures: the numbers of a table without its head, a list without its short items. A
structure between kept blocks, or next to a kept block and partly kept itself, is kept as a whole,
unless it consists mostly of links, as in lists of other articles. A table directly after a kept
block needs no kept block after it: articles may end with their figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features import Features
from thresher.native import Steps, kernel_with
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of

__all__ = ["complete_structures"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.integer]

_HEADING: Final = flags_of("h2 h3 h4 h5 h6")
_TABLE: Final = flags_of("table")
_PARTIAL: Final = flags_of("dl figure table")
"""Structures that are kept as a whole when a part is kept."""
_WHOLE: Final = flags_of("details dl figure ol table ul")
_BETWEEN: Final = flags_of("details dl ol table ul")
"""Structures kept between kept blocks even if no part is. Not figures: many labels leave their
captions out."""
# By folds, without and with this (2026-11-22: `python -m thresher.evaluation.leaderboard --role
# train --peer none -m learned --metric word --folds DIR`), word F1 in per cent: wcxb_dev 87.96,
# 88.00; magic_html 83.34, 83.31; newspaper4k_424 92.77, 92.78; fundus_tests 97.07, 97.06. Others
# were tried on the same folds by a script outside the repository: from 0.02 to 0.2 the probability
# made no difference; lists of more links cost the news corpora .1 to .4 points, quotes .07. Tables
# that stand last, later that day: wcxb_dev 87.97, 87.99; newspaper4k_424 92.78, 92.76; others the
# same.
_MIN_PROBABILITY: Final = 0.1
"""Mean probability per word from which a structure between kept blocks is kept."""
_MIN_KEPT: Final = 0.3
"""Share of a structure's words that must be kept for it to be kept as a whole."""
_MAX_LINKS: Final = 0.3
"""Link density above which a structure is a list of links to other pages."""
_MAX_TABLE_LINKS: Final = 0.5
_LIMITS: Final = np.array([_MIN_PROBABILITY, _MIN_KEPT, _MAX_LINKS, _MAX_TABLE_LINKS])
_KINDS: Final = sum(
    (
        flags * np.uint8(1 << bit)
        for bit, flags in enumerate((_HEADING, _TABLE, _PARTIAL, _WHOLE, _BETWEEN))
    ),
    start=np.zeros(_WHOLE.size, np.uint8),
)
"""Kinds of each element, by tag code, a bit each as in native/choice/selected.h."""


@dataclass(frozen=True, slots=True)
class _Structures:
    """The structures of a page; one entry each."""

    row: IntArray
    first: IntArray
    """First block."""
    stop: IntArray
    """One past the last."""
    around_first: IntArray
    """First block of the nearest container that holds more."""
    around_stop: IntArray

    def shares(self, parts: Sequence[FloatArray], whole: FloatArray) -> FloatArray:
        """Return each structure's ratio of each amount to ``whole``; amounts are by block."""
        sums = np.zeros((len(parts) + 1, whole.size + 1))
        for row, amount in zip(sums, (*parts, whole), strict=True):
            np.cumsum(amount, out=row[1:])
        inside = sums[:, self.stop] - sums[:, self.first]
        return np.asarray(inside[:-1] / np.maximum(inside[-1], 1))


def _complete_structures_by_step(
    steps: Steps, page: Page, features: Features, keep: BoolArray, probability: FloatArray
) -> BoolArray | None:
    chain = features.chain
    return steps.complete_structures(
        page.tag,
        page.end,
        page.leaves,
        page.blocks.start,
        chain.container[0],
        features.words,
        keep,
        probability,
        _KINDS,
        chain.row_first,
        chain.row_stop,
        chain.first,
        chain.stop,
        page.block_row,
        page.leaf_link_words,
        _LIMITS,
    )


@kernel_with(_complete_structures_by_step)
def complete_structures(
    page: Page, features: Features, keep: BoolArray, probability: FloatArray
) -> BoolArray:
    """Flag the dropped blocks to be kept; bool[n_block]."""
    found = _join_headings(page, features, keep, probability)
    structures = _find_structures(page, features, keep)
    if structures is None:
        return found
    before, behind = _find_neighbours(structures, keep)
    if not (before | behind).any():
        return found
    words = features.words.astype(np.float64)
    links = page.blocks.sums(page.leaf_link_words).astype(np.float64)
    tag = page.tag[structures.row]
    most = np.where(_TABLE[tag], _MAX_TABLE_LINKS, _MAX_LINKS)
    linked, likely, kept = structures.shares((links, words * probability, words * keep), words)
    whole = before & behind & (likely >= _MIN_PROBABILITY) & _BETWEEN[tag]
    whole |= (before | behind) & (kept >= _MIN_KEPT) & _PARTIAL[tag]
    whole |= before & (likely >= _MIN_PROBABILITY) & (linked <= _MAX_LINKS) & _TABLE[tag]
    whole &= linked <= most
    for first, stop in zip(structures.first[whole], structures.stop[whole], strict=True):
        found[first:stop] = True
    return found & ~keep


def _find_structures(page: Page, features: Features, keep: BoolArray) -> _Structures | None:
    """Find the structures with blocks beside kept ones that are not all of what is around them."""
    chain = features.chain
    rows = np.flatnonzero(_WHOLE[page.tag])
    first, stop = chain.row_first[rows], chain.row_stop[rows]
    padded = np.concatenate(([False], keep, [False]))
    before, behind, tag = padded[first], padded[stop + 1], page.tag[rows]
    stands = (before & behind & _BETWEEN[tag]) | ((before | behind) & _PARTIAL[tag])
    spans = zip(first.tolist(), stop.tolist(), strict=True)
    # Most structures need no change.
    beside = np.array(
        [
            place
            for place, (start, end) in enumerate(spans)
            if stands[place] and start < end and not keep[start:end].all()
        ],
        np.intp,
    )
    if not beside.size:
        return None
    rows, first, stop = rows[beside], first[beside], stop[beside]
    larger = chain.stop[:, first] - chain.first[:, first] > stop - first
    has_more = larger.any(axis=0)
    around = larger.argmax(axis=0), first
    structures = (rows, first, stop, chain.first[around], chain.stop[around])
    return _Structures(*(column[has_more] for column in structures))


def _find_neighbours(structures: _Structures, keep: BoolArray) -> tuple[BoolArray, BoolArray]:
    """Flag structures whose previous and next blocks are kept and in the same container."""
    padded = np.concatenate(([False], keep, [False]))
    before = padded[structures.first] & (structures.first > structures.around_first)
    behind = padded[structures.stop + 1] & (structures.stop < structures.around_stop)
    return before, behind


def _join_headings(
    page: Page, features: Features, keep: BoolArray, probability: FloatArray
) -> BoolArray:
    """Flag headings between two kept blocks of the same container."""
    container = features.chain.container[0]
    joined = np.zeros(keep.size, np.bool_)
    place = np.flatnonzero(keep[:-2] & keep[2:] & ~keep[1:-1]) + 1
    if place.size:
        inner = _HEADING[page.tag[page.block_row[place]]]
        inner &= (container[place - 1] == container[place]) & (
            container[place] == container[place + 1]
        )
        joined[place] = inner & (probability[place] >= _MIN_PROBABILITY)
    return joined
