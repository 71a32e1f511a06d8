"""How the kept part of a page is laid out: which rows are written, and where paragraphs begin.

Pages spell paragraphs in many ways: `p`, nested `div`s, layout tables, two line breaks. The page's
blocks have already seen through that (`thresher.blocks`), so writers start from them: a run of
kept leaves in one block is a paragraph, whatever wrapped it. Of the elements around it only those
that say more than "a block" are written: headings, lists, tables of data, quotes, code, figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.blocks import GLUE, Runs, group_alike
from thresher.deadline import check_deadline
from thresher.page import Page
from thresher.scan import IntArray
from thresher.tags import BLOCK, CODE_OF, TEXT, flags_of
from thresher.writers.gutters import find_gutters
from thresher.writers.headings import close_levels, read_headings
from thresher.writers.preformatted import find_preformatted
from thresher.writers.spacing import part_words
from thresher.writers.tables import find_data_tables

__all__ = ["LISTS", "ONE_LINE", "Outline", "outline_page", "runs_in_preformatted"]

BoolArray = npt.NDArray[np.bool_]

_STRUCTURE: Final = flags_of(
    "blockquote caption dd details dir dl dt figcaption figure h1 h2 h3 h4 h5 h6 li listing menu ol"
    " pre summary table tbody td tfoot th thead tr ul"
)
"""Block-level elements that say more than "a block of its own"."""
_TABLE_PARTS: Final = flags_of("caption table tbody td tfoot th thead tr")
_CELLS: Final = flags_of("td th")
LISTS: Final = flags_of("dir menu ol ul")
ONE_LINE: Final = flags_of("caption h1 h2 h3 h4 h5 h6 listing pre")
"""Structure that holds text and no other structure."""
_HOLDS_TEXT: Final = _CELLS | flags_of("dd dt figcaption figure li summary")
"""Structure whose text needs no paragraph of its own while it is the only one."""
_ONLY_INSIDE: Final = (
    (flags_of("li"), LISTS),
    (flags_of("dt dd"), flags_of("dl")),
    (flags_of("figcaption"), flags_of("figure")),
    (flags_of("summary"), flags_of("details")),
)
"""Parts that mean nothing outside of their whole."""

_P, _TABLE, _TR = (CODE_OF[name] for name in ("p", "table", "tr"))


@dataclass(frozen=True, slots=True)
class Outline:
    """What is written of a page, and as what.

    A run is the kept leaves of one block: ``kept[runs.start[i]:runs.start[i + 1]]``.
    """

    page: Page
    kept: IntArray
    """The leaves that are written, in order; int32[n_kept]."""
    runs: Runs
    """The kept leaves in runs."""
    first_row: IntArray
    """The row of each run's first leaf; int32[n_run]."""
    last_row: IntArray
    """The row of each run's last leaf; int32[n_run]."""
    gaps: npt.NDArray[np.uint8]
    """What stands before each kept leaf in its run: nothing, a space, a line break."""
    holds: BoolArray
    """Flags rows that are or hold a kept leaf; bool[n_row]."""
    tag: npt.NDArray[np.int16]
    """What each row is written as, a code of `thresher.tags`: the page's own tag but for headings
    (`thresher.writers.headings`); int16[n_row]."""
    structure: BoolArray
    """Flags block-level elements that are written as what they are; bool[n_row]."""
    container: IntArray
    """The innermost structure around each run, −1 for none; int32[n_run]."""
    bare: BoolArray
    """Flags runs that need no paragraph around them; bool[n_run]."""
    crossing: BoolArray
    """Flags inline elements with kept leaves and block-level edges inside; bool[n_row]."""
    preformatted: BoolArray
    """Flags structure whose white space counts; bool[n_row]."""
    gutters: BoolArray
    """Flags texts in code that are none and so are not written; bool[n_row]."""


def outline_page(page: Page, keep: BoolArray) -> Outline:
    """Lay out the leaves that are flagged in ``keep``, bool[n_leaf]."""
    check_deadline()
    gutters = np.zeros(len(page), np.bool_)
    in_gutter = find_gutters(page, keep)
    if not in_gutter[keep].all():
        keep = keep & ~in_gutter
        gutters[page.leaves[in_gutter]] = True
    kept = np.flatnonzero(keep).astype(np.int32)
    block = page.blocks.of_leaf[kept]
    runs = group_alike(block)
    first_row = page.leaves[kept[runs.start[:-1]]]
    last_row = page.leaves[kept[runs.start[1:] - 1]]

    kept_before = np.concatenate(([0], np.cumsum(keep)))
    holds = kept_before[page.leaf_offset[page.end]] > kept_before[page.leaf_offset[:-1]]
    written_as = read_headings(page)
    preformatted = find_preformatted(page, keep)
    structure = _find_structure(page, written_as, holds, first_row, preformatted)
    written_as = close_levels(written_as, structure)

    # Counted without paragraphs: an item's only text needs none.
    container = page.nearest(structure, first_row)
    lone = np.bincount(container + 1, minlength=1)[container + 1] == 1
    tag = np.where(container >= 0, written_as[container], TEXT)
    bare = ONE_LINE[tag] | (_HOLDS_TEXT[tag] & lone)
    bare |= preformatted[container] & (container >= 0)

    # A `p` with nothing but the run in it is written as it stands.
    around = page.block_row[page.blocks.of_leaf[kept[runs.start[:-1]]]]
    own = (page.tag[around] == _P) & ~bare & ~LISTS[tag] & (tag != CODE_OF["dl"])
    own &= _count_blocks(page, around) == 1
    structure[around[own]] = True
    bare[own] = True
    container = np.where(own, around, container).astype(np.int32)

    is_block = BLOCK.take(page.tag)
    inline = (holds & ~is_block & (page.tag != TEXT)).nonzero()[0]
    blocks_before = np.zeros(len(page) + 1, np.int32)
    np.cumsum(is_block, out=blocks_before[1:])
    has_blocks = blocks_before[page.end[inline]] > blocks_before[inline]
    crossing = np.zeros(len(page), np.bool_)
    crossing[inline] = has_blocks | (_count_blocks(page, inline) > 1)
    gaps = page.gaps_of(kept)
    part_words(page, kept, gaps, holds)
    gaps[runs.start[:-1]] = GLUE
    return Outline(
        page=page,
        kept=kept,
        runs=runs,
        first_row=first_row,
        last_row=last_row,
        gaps=gaps,
        holds=holds,
        tag=written_as,
        structure=structure,
        container=container,
        bare=bare,
        crossing=crossing,
        preformatted=preformatted & structure,
        gutters=gutters,
    )


def _find_structure(
    page: Page,
    tag: npt.NDArray[np.int16],
    holds: BoolArray,
    run_row: IntArray,
    preformatted: BoolArray,
) -> BoolArray:
    """Flag the elements that are written as what they are."""
    structure = _STRUCTURE[tag] & holds
    parts = _TABLE_PARTS[page.tag]
    if parts.any():
        table = page.nearest(page.tag == _TABLE)
        in_data = (table >= 0) & find_data_tables(page, holds, run_row)[table]
        structure &= ~parts | in_data
        # Empty cells keep the columns of their row apart.
        structure |= _CELLS[page.tag] & structure[page.parent] & (page.tag[page.parent] == _TR)
    structure |= preformatted
    structure &= ~page.below(structure & (ONE_LINE[tag] | preformatted))
    rows = structure.nonzero()[0]
    above = page.nearest(structure)[page.parent[rows]]
    above_tag = np.where(above >= 0, page.tag[above], TEXT)
    row_tag = page.tag[rows]
    for part, whole in _ONLY_INSIDE:
        structure[rows[part[row_tag] & ~whole[above_tag]]] = False
    return structure


def _count_blocks(page: Page, rows: npt.NDArray[np.signedinteger]) -> IntArray:
    """Count the blocks that each of some rows has leaves of; each row has a leaf."""
    of_leaf = page.blocks.of_leaf
    first, stop = page.leaf_offset[rows], page.leaf_offset[page.end[rows]]
    return np.asarray(of_leaf[stop - 1] - of_leaf[first] + 1)


def runs_in_preformatted(outline: Outline) -> npt.NDArray[np.bool_]:
    """Flag the runs inside a `pre`; bool[n_run]."""
    container = outline.container
    return (container >= 0) & outline.preformatted[container]
