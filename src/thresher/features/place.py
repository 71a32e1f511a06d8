"""Where a block stands: in the page, after which heading, next to what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from thresher.features.base import Counts, Matrix, Share, list_features, log2p1, ratio
from thresher.tags import CODE_OF, flags_of

__all__ = ["FEATURES", "measure"]

_PAGE: Final = {
    "n_before": "blocks before, log",
    "n_after": "blocks after, log",
    "depth": "elements around it, log",
    "from_heading": "blocks since the last heading, log",
    "next_heading": "blocks until the next heading, log",
    "from_h1": "words between it and the page's first h1 with text, log, negative before it",
    "words_before": "share of the page's words before the block",
    "blocks_before": "share of the page's blocks before the block",
    "after_h1": "stands behind the page's first h1 with text",
    "heading_level": "level of the last heading, 7 where there is none",
}
_NEIGHBOUR: Final = {
    "words": "words, log",
    "terminators": "marks that end a sentence, log",
    "link_density": "share of words inside links",
    "same_tag": "the same tag as this block's",
}
_AROUND: Final[Mapping[str, Share]] = {
    "words": Share("words", "blocks", "words a block"),
    "link_density": Share("link_words", "words", "share of words inside links"),
    "prose": Share("prose_words", "words", "share of words in prose"),
}
_WINDOWS: Final = (2, 6)
"""Blocks on either side that are looked at together."""
FEATURES: Final = (
    *list_features("position", "", (_PAGE,)),
    *(
        feature
        for side in ("previous", "next")
        for feature in list_features("sequence", f"{side}_", (_NEIGHBOUR,))
    ),
    *(
        feature
        for window in _WINDOWS
        for feature in list_features("sequence", f"around{window}_", (_AROUND,))
    ),
)

_H1: Final = CODE_OF["h1"]
_HEADING: Final = flags_of("h1 h2 h3 h4 h5 h6")
_NO_LEVEL: Final = 7


def measure(counts: Counts) -> Matrix:
    """Return the features of this group; float32[n_feature, n_block]."""
    place = np.arange(counts.values.shape[1])
    return np.concatenate(
        (
            _measure_place(counts),
            _measure_neighbours(counts),
            *(
                counts.tabulate(
                    counts.between(
                        np.maximum(place - window, 0), np.minimum(place + window + 1, place.size)
                    ),
                    {},
                    _AROUND,
                )
                for window in _WINDOWS
            ),
        )
    )


def _measure_place(counts: Counts) -> Matrix:
    page, words = counts.page, counts.before("words")
    place = np.arange(counts.values.shape[1])
    inside = page.nearest(_HEADING[page.tag])[page.leaves[page.blocks.start[:-1]]]
    level = np.where(inside >= 0, page.tag[inside] - _H1 + 1, 0)
    headings = np.flatnonzero((level > 0) & (counts["words"] > 0))
    n_before = np.searchsorted(headings, place, side="right")
    last = np.append(-1, headings)[n_before]
    upcoming = np.append(headings, place.size)[np.searchsorted(headings, place)]
    h1 = headings[level[headings] == 1]
    since = words[:-1] - (words[h1[0]] if h1.size else 0)
    depth = page.depth[page.block_row]
    logs = (place, place.size - 1 - place, depth, place - last, upcoming - place, np.abs(since))
    measured = np.empty((len(_PAGE), place.size), np.float32)
    measured[: len(logs)] = log2p1(np.array(logs))
    measured[len(logs) - 1][since < 0] *= -1
    measured[6] = ratio(words[:-1], words[-1])
    measured[7] = ratio(place, np.int64(place.size))
    measured[8] = place >= (h1[0] if h1.size else place.size)
    measured[9] = np.where(last >= 0, level[last], _NO_LEVEL)
    return measured


def _measure_neighbours(counts: Counts) -> Matrix:
    tag = counts.page.tag[counts.page.block_row]
    own = np.concatenate(
        (
            log2p1(np.array((counts["words"], counts["terminators"]))),
            ratio(counts["link_words"], counts["words"])[None],
        )
    )
    n_own = len(own)
    measured = np.zeros((2 * len(_NEIGHBOUR), tag.size), np.float32)
    measured[:n_own, 1:] = own[:, :-1]
    measured[n_own, 1:] = tag[1:] == tag[:-1]
    measured[n_own + 1 : -1, :-1] = own[:, 1:]
    measured[-1, :-1] = tag[1:] == tag[:-1]
    return measured
