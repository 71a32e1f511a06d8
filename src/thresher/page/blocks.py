"""Blocks and lines: groups of leaves, the units that algorithms decide on.

A block is a maximal run of leaves without a block-level edge between them: a paragraph, a cell, a
list item's own text. Two or more consecutive line breaks, and a rule, end a block too: many pages
write their paragraphs that way. A line also ends at a single line break.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with
from thresher.page.leaves import (
    CLOSING,
    KINDS,
    MATH,
    GapMark,
    GapMarks,
    Measures,
    find_leaves,
    mark_gaps,
    measure_leaves,
)
from thresher.page.rows import BoolArray, find_nearest, flag_within, freeze, sum_before, sum_flagged
from thresher.page.scan import IntArray
from thresher.page.tags import BLOCK, CODE_OF

_A: Final = CODE_OF["a"]

GLUE, SPACE, NEWLINE = np.uint8(0), np.uint8(1), np.uint8(2)
"""Gaps between two neighbouring leaves of a block."""
_MARKS: Final = np.arange(32)
_BETWEEN: Final = GapMark.OPENED | GapMark.CLOSED
_ABUTS: Final = _MARKS == _BETWEEN
_GAP_OF: Final = np.zeros(_MARKS.size, np.uint8)
_GAP_OF[_MARKS & _BETWEEN == _BETWEEN] = SPACE
_GAP_OF[_MARKS & GapMark.WHITE != 0] = SPACE
_GAP_OF[_MARKS & GapMark.BROKEN != 0] = NEWLINE
"""Gap of each combination of marks. Where an inline element ends and another starts directly after
it (`</a><a>`, `</span><time>`), style sheets may add the space that the markup lacks
(`thresher.page.abutting`)."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Groups of consecutive leaves: group g is the leaves ``start[g]:start[g + 1]``.

    ``start`` is int32[n_group + 1], ``of_leaf`` int32[n_leaf].
    """

    start: IntArray
    of_leaf: IntArray

    def __len__(self) -> int:
        return self.start.size - 1

    def sums(self, leaf_values: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
        """Sum one value per leaf over each group; int64[n_group]."""
        edges = sum_before(leaf_values).take(self.start)
        return edges[1:] - edges[:-1]

    def any(self, leaf_flags: BoolArray) -> BoolArray:
        """Return for each group whether any of its leaves is flagged; bool[n_group]."""
        return self.sums(leaf_flags) > 0


class Blocks(NamedTuple):
    """The leaves and blocks of a page, their sizes and gaps; all arrays are read-only."""

    in_link: BoolArray
    """Flags links and their descendants; bool[n_row]."""
    link_words_before: IntArray
    """Words inside links before each row; int32[n_row + 1], as are the next two."""
    leaf_offset: IntArray
    block_offset: IntArray
    """Blocks that begin before each row."""
    leaves: IntArray
    """The rows of the leaves; int32[n_leaf]."""
    measures: Measures
    marks: GapMarks
    runs: Runs
    """The leaves of each block."""
    leaf: IntArray
    """The row of each block's first leaf; int32[n_block]."""
    row: IntArray
    """The innermost block-level element around it; int32[n_block]."""


def _read_blocks_by_step(  # noqa: PLR0917
    steps: Steps,
    buffer: bytes,
    tag: npt.NDArray[np.int16],
    parent: IntArray,
    end: IntArray,
    open_start: IntArray,
    words_before: IntArray,
    chars_before: IntArray,
    concealed: BoolArray,
) -> Blocks | None:
    columns = (buffer, tag, parent, end, open_start, words_before, chars_before, concealed)
    read = steps.read_leaves(*columns, KINDS, CLOSING, _A, MATH)
    if read is None:
        return None
    sizes, in_link, offsets, of_leaves, of_blocks, marks = read
    n_leaf, n_block = sizes.tolist()
    leaves, of_leaf, *measures = freeze(of_leaves[:, :n_leaf].copy())
    leaf, row = freeze(of_blocks[1:, :n_block].copy())
    link_words_before, leaf_offset, block_offset = freeze(offsets)
    return Blocks(
        freeze(in_link),
        link_words_before,
        leaf_offset,
        block_offset,
        leaves,
        Measures(*measures),
        freeze(marks[: n_leaf + 1].copy()),
        Runs(freeze(of_blocks[0, : n_block + 1].copy()), of_leaf),
        leaf,
        row,
    )


@kernel_with(_read_blocks_by_step)
def read_blocks(  # noqa: PLR0917
    buffer: bytes,
    tag: npt.NDArray[np.int16],
    parent: IntArray,
    end: IntArray,
    open_start: IntArray,
    words_before: IntArray,
    chars_before: IntArray,
    concealed: BoolArray,
) -> Blocks:
    """Find the leaves and blocks of a page, given its columns and the counts before each row.

    The rows of ``concealed``, bool[n_row], neither are leaves nor separate others.
    """
    in_link = flag_within(tag == _A, end)
    leaves = find_leaves(tag, end, chars_before, concealed)
    marks = mark_gaps(buffer, tag, end, open_start, chars_before, leaves)
    runs = group_leaves(marks, GapMark.EDGE)
    begun = np.zeros(leaves.rows.size + 1, np.int32)
    np.add(runs.of_leaf, 1, out=begun[1:])
    leaf = leaves.rows[runs.start[:-1]]
    measures = measure_leaves(tag, end, words_before, chars_before, in_link, leaves.rows)
    return Blocks(
        freeze(in_link),
        freeze(sum_flagged(in_link, words_before)),
        freeze(leaves.before),
        freeze(begun.take(leaves.before)),
        freeze(leaves.rows),
        Measures(*map(freeze, measures)),
        freeze(marks),
        runs,
        freeze(leaf),
        freeze(find_nearest(BLOCK.take(tag), parent, end, leaf)),
    )


def _group_leaves_by_step(steps: Steps, marks: GapMarks, edges: int) -> Runs | None:
    grouped = steps.group_leaves(marks, edges)
    if grouped is None:
        return None
    start, of_leaf, n_group = grouped
    return Runs(freeze(start[: n_group + 1].copy()), freeze(of_leaf))


@kernel_with(_group_leaves_by_step)
def group_leaves(marks: GapMarks, edges: int) -> Runs:
    """Group leaves; a group begins at a leaf preceded by one of these marks."""
    begins = (marks[:-1] & edges) != 0
    begins[:1] = True
    return _group_at(begins)


def group_consecutive(keys: npt.NDArray[np.generic]) -> Runs:
    """Group consecutive entries with equal keys; there must be at least one entry."""
    begins = np.ones(keys.size, np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=begins[1:])
    return _group_at(begins)


def _group_at(begins: BoolArray) -> Runs:
    """Group entries by flags of where groups begin; the first is set."""
    start = np.append(begins.nonzero()[0], begins.size).astype(np.int32)
    of_leaf = begins.cumsum(dtype=np.int32)
    of_leaf -= 1
    return Runs(freeze(start), freeze(of_leaf))


def find_gaps(marks: GapMarks) -> npt.NDArray[np.uint8]:
    """Return the gap before each leaf: nothing, a space or a line break; uint8[n_leaf]."""
    return _GAP_OF.take(marks[:-1])


def find_abutting(marks: GapMarks) -> npt.NDArray[np.intp]:
    """Return the leaves before which only an element ends and another starts; in order."""
    places: npt.NDArray[np.intp] = _ABUTS.take(marks[:-1]).nonzero()[0]
    return places


def join_leaves(texts: list[str], gaps: npt.NDArray[np.uint8]) -> str:
    """Join the texts of neighbouring leaves, collapsing white space as browsers do."""
    if len(texts) == 1:
        return collapse(texts[0])
    lines: list[str] = []
    parts: list[str] = []
    for text, gap in zip(texts, gaps.tolist(), strict=True):
        if gap == NEWLINE:
            lines.append(collapse("".join(parts)))
            parts = [text]
        else:
            parts.append(f" {text}" if gap == SPACE else text)
    lines.append(collapse("".join(parts)))
    return "\n".join(lines).strip("\n")


def collapse(text: str) -> str:
    """Replace each run of white space by one space, and strip the ends.

    The white space of bytes is that of HTML, and the vertical tab; not the no-break space.
    """
    is_collapsed = not (
        "\n" in text
        or "  " in text
        or "\t" in text
        or "\r" in text
        or "\f" in text
        or "\v" in text
        or text[:1] == " "
        or text[-1:] == " "
    )
    # Most are, and searching for a character takes a small fraction of the time of splitting.
    return text if is_collapsed else b" ".join(text.encode().split()).decode()
