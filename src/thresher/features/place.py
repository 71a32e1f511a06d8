"""Features of a block's position in the page and relative to headings."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features.base import (
    Counts,
    FeatureKind,
    FeatureTable,
    Operands,
    list_features,
    log2p1,
)
from thresher.page.tags import CODE_OF, HEADINGS

_TABLES: Final[tuple[tuple[FeatureKind, FeatureTable], ...]] = (
    (
        "log",
        {
            "n_before": "blocks before, log",
            "n_after": "blocks after, log",
            "depth": "ancestors, log",
            "from_heading": "blocks since the last heading, log",
            "next_heading": "blocks until the next heading, log",
        },
    ),
    ("value", {"from_h1": "words since the page's first h1 with text, log, negative before it"}),
    (
        "share",
        {
            "words_before": "share of the page's words before the block",
            "blocks_before": "share of the page's blocks before the block",
        },
    ),
    (
        "value",
        {
            "after_h1": "at or after the page's first h1 with text",
            "heading_level": "level of the last heading, 7 if there is none",
        },
    ),
)
FEATURES: Final = tuple(
    feature for kind, table in _TABLES for feature in list_features("position", "", kind, table)
)

_H1: Final = CODE_OF["h1"]
_NO_LEVEL: Final = 7


def measure(counts: Counts) -> Operands:
    """Return the operands of this group's features."""
    page, words, n_block = counts.page, counts.before("words"), counts.n_block
    place = np.arange(n_block)
    level = _find_headings(counts)
    last = np.maximum.accumulate(np.where(level > 0, place, -1))
    upcoming = np.minimum.accumulate(np.where(level > 0, place, n_block)[::-1])[::-1]
    is_h1 = level == 1
    h1 = int(is_h1.argmax()) if is_h1.any() else n_block
    since = words[:-1] - (words[h1] if h1 < n_block else 0)
    depth = page.depth.take(page.block_row)
    return Operands(
        logs=[np.array((place, n_block - 1 - place, depth, place - last, upcoming - place))],
        parts=[np.array((words[:-1], place))],
        wholes=[counts.everywhere((words[-1], n_block))],
        values=[
            np.copysign(log2p1(np.abs(since)), since)[None],
            np.array((place >= h1, np.where(last >= 0, level.take(last), _NO_LEVEL))),
        ],
    )


def _find_headings(counts: Counts) -> npt.NDArray[np.integer]:
    """Return the level of the heading around each block with words, 0 if there is none."""
    page = counts.page
    row = page.nearest(HEADINGS.take(page.tag), page.block_leaf)
    is_heading = (row >= 0) & (counts["words"] > 0)
    return (page.tag.take(row) - (_H1 - 1)) * is_heading
