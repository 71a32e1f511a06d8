"""Structure that is written as such: headings, lists, data tables, paragraphs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import BLOCK, CELLS, CODE_OF, TEXT, flags_of
from thresher.writers.outline.runs import Grouping, KeptRuns
from thresher.writers.outline.tables import find_data_tables, find_empty_columns

_STRUCTURE: Final = flags_of(
    "blockquote caption dd details dir dl dt figcaption figure h1 h2 h3 h4 h5 h6 li listing menu ol"
    " pre summary table tbody td tfoot th thead tr ul"
)
"""Block-level elements that mean more than "a block of its own"."""
_TABLE_PARTS: Final = flags_of("caption table tbody td tfoot th thead tr")
LISTS: Final = flags_of("dir menu ol ul")
ONE_LINE: Final = flags_of("caption h1 h2 h3 h4 h5 h6 listing pre")
"""Structure that holds text and no other structure."""
_HOLDS_TEXT: Final = CELLS | flags_of("dd dt figcaption figure li summary")
"""Structure whose text needs no paragraph as long as it is the only one."""
_ONLY_INSIDE: Final = (
    (flags_of("li"), LISTS),
    (flags_of("dt dd"), flags_of("dl")),
    (flags_of("figcaption"), flags_of("figure")),
    (flags_of("summary"), flags_of("details")),
)
"""Parts that mean nothing outside their parent structure."""
_DL, _P, _TABLE, _TR = (CODE_OF[name] for name in ("dl", "p", "table", "tr"))

_KINDS: Final = (
    *(_STRUCTURE, _TABLE_PARTS, CELLS, flags_of("tr"), LISTS, flags_of("dl"), ONE_LINE),
    *(_HOLDS_TEXT, flags_of("p"), BLOCK),
)
_FIRST_PART, _FIRST_WHOLE = 12, 16


def number_kinds(kinds: Iterable[tuple[int, BoolArray]]) -> IntArray:
    """Return the properties of each tag as bits, given those of each bit; int32[n_code]."""
    return np.asarray(np.sum([flags * (1 << bit) for bit, flags in kinds], axis=0, dtype=np.int32))


_KIND_OF: Final = number_kinds(
    (
        *enumerate(_KINDS),
        *enumerate((part for part, _ in _ONLY_INSIDE), _FIRST_PART),
        *enumerate((whole for _, whole in _ONLY_INSIDE), _FIRST_WHOLE),
    )
)
"""The bits of native/fragment/writers.h."""


class OutlineStructure(NamedTuple):
    """The structures that rows and runs are written as."""

    rows: BoolArray
    """Flags block-level elements that are written as such; bool[n_row]."""
    crossing: BoolArray
    """Flags inline elements with kept leaves and block-level edges inside; bool[n_row]."""
    container: IntArray
    """The innermost structure around each run, −1 for none; int32[n_run]."""
    bare: BoolArray
    """Flags runs that need no paragraph around them; bool[n_run]."""


def _lay_out_rows_by_step(  # noqa: PLR0917
    steps: Steps,
    page: Page,
    tag: npt.NDArray[np.int16],
    kept: KeptRuns,
    preformatted: BoolArray,
    in_data: BoolArray,
    grouping: Grouping,
) -> OutlineStructure | None:
    columns = (page.tag, page.parent, page.end, page.open_start, page.leaf_offset)
    flags = (tag, kept.holds, preformatted, in_data)
    groups = (grouping.row, kept.leaves[kept.runs.start[:-1]])
    laid_out = steps.lay_out_rows(
        page.buffer, *columns, page.leaves, grouping.of_leaf, _KIND_OF, *flags, *groups
    )
    if laid_out is None:
        return None
    rows, crossing, bare, container = laid_out
    return OutlineStructure(rows, crossing, container, bare)


@kernel_with(_lay_out_rows_by_step)
def lay_out_rows(  # noqa: PLR0917
    page: Page,
    tag: npt.NDArray[np.int16],
    kept: KeptRuns,
    preformatted: BoolArray,
    in_data: BoolArray,
    grouping: Grouping,
) -> OutlineStructure:
    """Find the structure to be written; ``tag`` is the tag each row would be written as.

    ``preformatted`` flags elements whose white space is significant, ``in_data`` rows of data
    tables (`find_data`); bool[n_row]. ``grouping`` is what the runs were made of.
    """
    rows = _flag_structure(page, tag, kept.holds, preformatted, in_data)
    # Counted without paragraphs: an item's only text needs none.
    container = page.nearest(rows, kept.first_row)
    lone = np.bincount(container + 1, minlength=1)[container + 1] == 1
    written_as = np.where(container >= 0, tag[container], TEXT)
    bare = ONE_LINE[written_as] | (_HOLDS_TEXT[written_as] & lone)
    bare |= preformatted[container] & (container >= 0)

    # A `p` that holds only the run is written unchanged.
    around = grouping.row[grouping.of_leaf[kept.leaves[kept.runs.start[:-1]]]]
    own = (tag[around] == _P) & ~bare & ~LISTS[written_as] & (written_as != _DL)
    own &= _count_groups(page, around, grouping) == 1
    rows[around[own]] = True
    bare[own] = True
    container = np.where(own, around, container).astype(np.int32)

    is_block = BLOCK.take(page.tag)
    inline = (kept.holds & ~is_block & (page.tag != TEXT)).nonzero()[0]
    blocks_before = np.zeros(len(page) + 1, np.int32)
    np.cumsum(is_block, out=blocks_before[1:])
    has_blocks = blocks_before[page.end[inline]] > blocks_before[inline]
    crossing = np.zeros(len(page), np.bool_)
    crossing[inline] = has_blocks | (_count_groups(page, inline, grouping) > 1)
    return OutlineStructure(rows, crossing, container, bare)


def find_data(page: Page, tag: npt.NDArray[np.int16], kept: KeptRuns) -> BoolArray:
    """Flag the rows of data tables, without the cells of empty columns; bool[n_row]."""
    if not kept.tags[_TABLE] and tag is page.tag:
        return np.zeros(len(page), np.bool_)
    table = page.nearest(tag == _TABLE)
    data = find_data_tables(page, tag, kept.holds, kept.first_row)
    in_data: BoolArray = (table >= 0) & data[table]
    if in_data.any():
        in_data[find_empty_columns(page, tag, kept.holds, in_data, table)] = False
    return in_data


def _flag_structure(
    page: Page,
    tag: npt.NDArray[np.int16],
    holds: BoolArray,
    preformatted: BoolArray,
    in_data: BoolArray,
) -> BoolArray:
    """Flag the elements that are written as such, except paragraphs."""
    structure = _STRUCTURE[tag] & holds
    structure &= ~_TABLE_PARTS[tag] | in_data
    # Empty cells keep the columns of their row apart.
    structure |= CELLS[tag] & in_data & structure[page.parent] & (tag[page.parent] == _TR)
    structure |= preformatted
    structure &= ~page.below(structure & (ONE_LINE[tag] | preformatted))
    rows = structure.nonzero()[0]
    above = page.nearest(structure)[page.parent[rows]]
    above_tag = np.where(above >= 0, tag[above], TEXT)
    row_tag = page.tag[rows]
    for part, whole in _ONLY_INSIDE:
        structure[rows[part[row_tag] & ~whole[above_tag]]] = False
    return structure


def _count_groups(page: Page, rows: npt.NDArray[np.signedinteger], grouping: Grouping) -> IntArray:
    """Count the groups in which each row has leaves; each row has at least one."""
    of_leaf = grouping.of_leaf
    first, stop = page.leaf_offset[rows], page.leaf_offset[page.end[rows]]
    return np.asarray(of_leaf[stop - 1] - of_leaf[first] + 1)
