"""Features of blocks by compiled steps: the same numbers as by numpy, in a fraction of the time.

The formulas are defined by the tables of the groups, which are passed to the compiled steps.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.deadline import check_deadline
from thresher.features import block, containers, neighbours, path, whole
from thresher.features.base import CountFormulas, Matrix
from thresher.features.characters import Characters
from thresher.features.container_chain import ContainerChain
from thresher.features.inputs import UNWORDED, InputScale
from thresher.features.names import Signature
from thresher.features.table import FEATURES, ROWS_OF
from thresher.native import Steps
from thresher.page import Page
from thresher.page.hidden import REASONS
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, HEADINGS, REPLACED, flags_of

_FLAGS: Final = (
    REPLACED,
    block.EMPHASIS,
    HEADINGS,
    block.CONTROL,
    *map(flags_of, ("a", "br", "p", "li", "title", "h1")),
)
"""Properties of each tag, one bit each, as in native/features/features.h."""
_CLIMB_ROW, _KIN_ROW, _KIN_BLOCK, _SCRATCH = 16, 4, 64, 512
"""Bytes of scratch memory: for containers per row, then for siblings per row and per block, and a
constant."""
_WORD_BYTES: Final = 8
_NO_SCALE: Final = np.zeros(0, np.float32)


class Measured(NamedTuple):
    """The features of a page's blocks, with their container chains and words."""

    values: Matrix
    """No rows if they are quantised."""
    inputs: npt.NDArray[np.int16]
    """The features as a network reads them; int16[n_feature, n_block], no rows without a scale."""
    means: npt.NDArray[np.float64]
    """Of each feature, weighted by words, then by blocks; float64[2, n_feature]."""
    link_density: npt.NDArray[np.float32]
    """float32[n_block]"""
    chain: ContainerChain
    words: npt.NDArray[np.int64]
    """Words of each block; int64[n_block]."""


def measure(
    steps: Steps,
    page: Page,
    characters: Characters,
    signature: Signature,
    scale: InputScale | None = None,
) -> Measured | None:
    """Compute the features of every block of a page; None if the compiled steps cannot."""
    own_scale = scale or InputScale(_NO_SCALE, _NO_SCALE, _NO_SCALE, 0, 0)
    n_row, n_block, n_feature = len(page), len(page.blocks), len(FEATURES)
    n_scratch = max(_CLIMB_ROW * n_row, _KIN_ROW * n_row + _KIN_BLOCK * n_block) + _SCRATCH
    measured = steps.measure_blocks(
        page.tag,
        page.parent,
        page.end,
        page.depth,
        page.hidden,
        page.leaf_offset,
        page.leaves,
        page.blocks.of_leaf,
        page.leaf_words,
        page.leaf_link_words,
        page.leaf_chars,
        page.blocks.start,
        page.block_row,
        characters.counts,
        characters.first,
        characters.last,
        characters.words,
        characters.word_sum,
        characters.n_title,
        signature,
        *_encode_table(),
        *own_scale,
        UNWORDED,
        n_feature,
        0 if scale else n_feature,
        n_feature if scale else 0,
        n_scratch // _WORD_BYTES,
        check_deadline,
    )
    if measured is None:
        return None
    values, inputs, means, link_density, levels, n_above, of_rows, words = measured
    (container, child, first, stop), (row_first, row_stop) = levels, of_rows
    leaf = page.block_leaf
    chain = ContainerChain(leaf, container, child, first, stop, n_above, row_first, row_stop)
    return Measured(values, inputs, means, link_density, chain, words)


class _EncodedTable(NamedTuple):
    """The table of features, in the order of the arguments of the compiled step."""

    flags: IntArray
    """Properties of each tag, as bits; int32[n_code]."""
    around: IntArray
    """The features that count elements of each tag around a block; int32[2, n_code]."""
    elements: IntArray
    """Tags of the elements that are counted on the whole page."""
    formulas: IntArray
    """The tables of the groups, one after the other."""
    logs: IntArray
    """Columns of the matrix of each kind of feature."""
    shares: IntArray
    values: IntArray
    edges: npt.NDArray[np.uint8]
    """Kinds of characters at the edges of blocks."""
    hidden_flags: int
    h1_code: int
    n_around: int


@cache
def _encode_table() -> _EncodedTable:
    tables = (
        block.FORMULAS,
        containers.FORMULAS,
        neighbours.NEXT,
        neighbours.WITHIN,
        whole.FORMULAS,
    )
    flags = sum(flag.astype(np.int32) << bit for bit, flag in enumerate(_FLAGS))
    return _EncodedTable(
        flags=np.asarray(flags, np.int32),
        around=path.COUNTED.astype(np.int32),
        elements=np.array(whole.CODES, np.int32),
        formulas=np.concatenate([_encode_formulas(table) for table in tables]),
        logs=ROWS_OF["log"].astype(np.int32),
        shares=ROWS_OF["share"].astype(np.int32),
        values=ROWS_OF["value"].astype(np.int32),
        edges=np.concatenate((block.FIRST, block.LAST)).ravel(),
        hidden_flags=int(np.bitwise_or.reduce(REASONS)),
        h1_code=CODE_OF["h1"],
        n_around=path.N_AROUND,
    )


def _encode_formulas(formulas: CountFormulas) -> IntArray:
    """Encode a table: number of logarithms, their counts; number of shares, parts, wholes."""
    logs = [block.COUNTS.index(log.of) for log in formulas.logs.values()]
    shares = formulas.shares.values()
    parts = [block.COUNTS.index(share.part) for share in shares]
    wholes = [block.COUNTS.index(share.whole) for share in shares]
    return np.array([len(logs), *logs, len(parts), *parts, *wholes], np.int32)
