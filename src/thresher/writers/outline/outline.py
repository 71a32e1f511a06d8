"""Layout of the kept part of a page: the rows to be written, and where paragraphs begin.

Pages mark up paragraphs in many ways: `p`, nested `div`s, layout tables, two line breaks. The
page's blocks already abstract from that (`thresher.page.blocks`), so writers start from them: a run
of kept leaves in one block is a paragraph, whatever wrapped it. Of its ancestors only those that
mean more than "a block" are written: headings, lists, data tables, quotes, code, figures.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.deadline import check_deadline
from thresher.page import Page
from thresher.page.blocks import GLUE, Runs
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, TEXT
from thresher.writers.code.gutters import find_gutters
from thresher.writers.code.lines import PREFORMATTED, find_fragments
from thresher.writers.outline.boxes import NO_BOXES, BoxParts
from thresher.writers.outline.headings import read_headings
from thresher.writers.outline.lists import (
    ParagraphItem,
    drop_layout_lists,
    find_continued,
    read_paragraph_items,
)
from thresher.writers.outline.runs import (
    group_apart,
    group_kept,
    join_continued,
    join_signatures,
    separate_words,
    split_slides,
)
from thresher.writers.outline.structure import find_data, lay_out_rows
from thresher.writers.outline.styles import find_preformatted, find_styled
from thresher.writers.outline.tables import declare_tables, read_titles

_BLOCKQUOTE, _LI = CODE_OF["blockquote"], CODE_OF["li"]


class Outline(NamedTuple):
    """The rows and runs of a page that are written, and their types.

    A run is the kept leaves of one block, or of a part of it that is written apart:
    ``kept[runs.start[i]:runs.start[i + 1]]``.
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
    """The gap before each kept leaf in its run: nothing, a space, a line break."""
    holds: BoolArray
    """Flags rows that are or hold a kept leaf; bool[n_row]."""
    tag: npt.NDArray[np.int16]
    """The tag each row is written as, a code of `thresher.page.tags`: the page's own tag except for
    headings and parts of tables that are declared as such; int16[n_row]."""
    structure: BoolArray
    """Flags block-level elements that are written as such; bool[n_row]."""
    container: IntArray
    """The innermost structure around each run, −1 for none; int32[n_run]."""
    bare: BoolArray
    """Flags runs that need no paragraph around them; bool[n_run]."""
    crossing: BoolArray
    """Flags inline elements with kept leaves and block-level edges inside; bool[n_row]."""
    preformatted: BoolArray
    """Flags structure whose white space is significant; bool[n_row]."""
    gutters: BoolArray
    """Flags texts in code that are not code and so are not written; bool[n_row]."""
    items: dict[int, ParagraphItem]
    """Row of a paragraph → how it is written as an item of a list that has no element."""
    styled: dict[str, npt.NDArray[np.intp]]
    """Name of an element → the rows of others that are styled like it."""
    continued: dict[int, int]
    """Row of a list → row of the list before that it continues, in order: the two are one."""

    @property
    def run_tag(self) -> npt.NDArray[np.int16]:
        """The tag that each run's container is written as, that of a text for none; int16[n_run].

        Recomputed on every access, as is ``run_preformatted``.
        """
        return np.where(self.container >= 0, self.tag[self.container], np.int16(TEXT))

    @property
    def run_preformatted(self) -> BoolArray:
        """Flags the runs inside a `pre`; bool[n_run]."""
        return (self.container >= 0) & self.preformatted[self.container]


def outline_page(
    page: Page,
    keep: BoolArray,
    boxes: BoxParts = NO_BOXES,
    quoted: Collection[int] = (),
    apart: Collection[int] = (),
) -> Outline:
    """Lay out the leaves flagged in ``keep``, bool[n_leaf].

    ``quoted`` are rows that are written as `blockquote`, ``apart`` leaves at which a run begins
    though no block does.
    """
    check_deadline()
    gutters = np.zeros(len(page), np.bool_)
    grouping = group_apart(page, apart)
    kept = group_kept(page, keep, grouping.of_leaf)
    if (kept.tags & PREFORMATTED).any() or find_fragments(page).size:
        in_gutter = find_gutters(page, keep)
        if not in_gutter[keep].all():
            gutters[page.leaves[in_gutter]] = True
            kept = group_kept(page, keep & ~in_gutter, grouping.of_leaf)
    check_deadline()
    kept = join_continued(page, split_slides(page, join_signatures(page, kept)), boxes.continued)
    check_deadline()
    tag = declare_tables(page, read_headings(page, kept.holds), kept.holds)
    check_deadline()
    tag = drop_layout_lists(page, tag, kept.holds)
    items = read_paragraph_items(page, kept)
    written_as = boxes.tags | dict.fromkeys(items, _LI) | dict.fromkeys(quoted, _BLOCKQUOTE)
    if written_as:
        tag = tag.copy()
        tag[list(written_as)] = list(written_as.values())
    check_deadline()
    preformatted = find_preformatted(page, kept)
    in_data = find_data(page, tag, kept)
    tag = read_titles(page, tag, kept.holds, in_data)
    structure = lay_out_rows(page, tag, kept, preformatted, in_data, grouping)
    check_deadline()
    separate_words(page, kept)
    kept.gaps[kept.runs.start[:-1]] = GLUE
    return Outline(
        page=page,
        kept=kept.leaves,
        runs=kept.runs,
        first_row=kept.first_row,
        last_row=kept.last_row,
        gaps=kept.gaps,
        holds=kept.holds,
        tag=tag,
        structure=structure.rows,
        container=structure.container,
        bare=structure.bare,
        crossing=structure.crossing,
        preformatted=preformatted & structure.rows,
        gutters=gutters,
        items={row: item for row, item in items.items() if structure.rows[row]},
        styled=find_styled(page, kept.holds),
        continued=find_continued(page, tag, kept, structure.rows),
    )
