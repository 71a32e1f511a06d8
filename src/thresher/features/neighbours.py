"""Features of the blocks next to a block: the previous, the next, and all within some distance."""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.features.base import CountFormulas, Counts, Log, Operands, Share, list_features
from thresher.page.scan import IntArray

NEXT: Final = CountFormulas(
    {
        "words": Log("words", "words, log"),
        "terminators": Log("terminators", "sentence-ending marks, log"),
    },
    {"link_density": Share("link_words", "words", "share of words inside links")},
)
WITHIN: Final = CountFormulas(
    {},
    {
        "words": Share("words", "blocks", "words per block"),
        "link_density": Share("link_words", "words", "share of words inside links"),
        "prose": Share("prose_words", "words", "share of words in prose"),
    },
)
_REACHES: Final = (2, 6)
"""Distances: blocks on either side that are described together."""
FEATURES: Final = (
    *(
        feature
        for side in ("previous_", "next_")
        for features in (
            NEXT.features("sequence", side),
            list_features("sequence", side, "value", {"same_tag": "same tag as this block"}),
        )
        for feature in features
    ),
    *(feature for reach in _REACHES for feature in WITHIN.features("sequence", f"around{reach}_")),
)


def measure(counts: Counts) -> Operands:
    """Return the operands of this group's features."""
    n_block = counts.n_block
    logs, parts, wholes = (_shift(operands) for operands in counts.of_blocks(NEXT))
    tag = counts.page.tag.take(counts.page.block_row)
    same_tag = np.zeros((2, n_block), np.bool_)
    same_tag[0, 1:] = same_tag[1, :-1] = tag[1:] == tag[:-1]

    place, reach = np.arange(n_block), np.array(_REACHES)[:, None]
    first, stop = np.maximum(place - reach, 0), np.minimum(place + reach + 1, n_block)
    within = counts.of_runs(WITHIN, first, stop)
    _, parts_within, wholes_within = (rows.swapaxes(0, 1).reshape(-1, n_block) for rows in within)
    return Operands([logs], [parts, parts_within], [wholes, wholes_within], [same_tag])


def _shift(own: IntArray) -> IntArray:
    """Return each block's predecessor's values, then its successor's, zeros at the ends."""
    shifted = np.zeros((2, *own.shape), np.int32)
    shifted[0, :, 1:] = own[:, :-1]
    shifted[1, :, :-1] = own[:, 1:]
    return shifted.reshape(-1, own.shape[1])
