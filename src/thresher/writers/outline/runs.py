"""The kept leaves of a page grouped into runs: paragraphs, whatever wrapped them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with
from thresher.page import Page
from thresher.page.blocks import GLUE, SPACE, Runs, group_consecutive
from thresher.page.leaves import CLOSING
from thresher.page.rows import BoolArray, sum_before
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, NAMES, flags_of
from thresher.writers.math.formulas import find_equation_rows

_CAROUSEL, _CITE, _TABLE = (CODE_OF[name] for name in "amp-carousel cite table".split())


class Grouping(NamedTuple):
    """The blocks of a page, or a finer division of its leaves."""

    of_leaf: IntArray
    """The group of each leaf; int32[n_leaf]."""
    row: IntArray
    """The innermost block-level element around each group; int32[n_group]."""


class KeptRuns(NamedTuple):
    """The kept leaves of a page in runs; a run is the kept leaves of one block or group."""

    leaves: IntArray
    """In document order; int32[n_kept]."""
    runs: Runs
    first_row: IntArray
    """The row of each run's first leaf; int32[n_run]."""
    last_row: IntArray
    """The row of each run's last leaf; int32[n_run]."""
    gaps: npt.NDArray[np.uint8]
    """The gap before each kept leaf: nothing, a space, a line break; uint8[n_kept]."""
    holds: BoolArray
    """Flags rows that are or hold a kept leaf; bool[n_row]."""
    tags: BoolArray
    """Flags the tags of these rows; bool[n_code]."""


def group_apart(page: Page, begins: Collection[int]) -> Grouping:
    """Return the blocks of a page, divided where one of some leaves begins a group of its own."""
    of_leaf, row = page.blocks.of_leaf, page.block_row
    if not begins:
        return Grouping(of_leaf, row)
    start = page.blocks.start[:-1]
    starts = np.union1d(start, np.fromiter((leaf for leaf in begins if leaf < of_leaf.size), int))
    flags = np.zeros(of_leaf.size, np.int32)
    flags[starts] = 1
    return Grouping(np.cumsum(flags, dtype=np.int32) - 1, row[of_leaf[starts]])


def _group_kept_by_step(
    steps: Steps, page: Page, keep: BoolArray, of_leaf: IntArray
) -> KeptRuns | None:
    rows = (page.tag, page.parent, page.end, page.open_start, page.leaf_offset)
    leaves = (page.leaves, of_leaf, keep, page.gaps_before(keep))
    grouped = steps.group_kept(page.buffer, *rows, *leaves, CLOSING, len(NAMES))
    if grouped is None:
        return None
    kept, start, run_of_leaf, first_row, last_row, gaps, holds, tags = grouped
    n_run = int(run_of_leaf[-1]) + 1
    runs = Runs(start[: n_run + 1], run_of_leaf)
    return KeptRuns(kept, runs, first_row[:n_run], last_row[:n_run], gaps, holds, tags)


@kernel_with(_group_kept_by_step)
def group_kept(page: Page, keep: BoolArray, of_leaf: IntArray) -> KeptRuns:
    """Group the leaves flagged in ``keep``, bool[n_leaf], of which there is at least one.

    ``of_leaf`` is the group of each leaf, as in `Grouping`.
    """
    kept = keep.nonzero()[0].astype(np.int32)
    runs = group_consecutive(of_leaf[kept])
    first_row = page.leaves[kept[runs.start[:-1]]]
    last_row = page.leaves[kept[runs.start[1:] - 1]]
    kept_before = sum_before(keep)
    holds = kept_before[page.leaf_offset[page.end]] > kept_before[page.leaf_offset[:-1]]
    tags = np.zeros(len(NAMES), np.bool_)
    tags[page.tag[holds]] = True
    return KeptRuns(
        kept, runs, first_row, last_row, page.gaps_of(kept, page.gaps_before(keep)), holds, tags
    )


def find_places(
    page: Page, kept: IntArray, rows: npt.NDArray[np.integer]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return where the kept leaves of some rows begin and end among all kept leaves; int[n] each.

    ``kept`` are the kept leaves, in order.
    """
    offsets = page.leaf_offset
    return kept.searchsorted(offsets[rows]), kept.searchsorted(offsets[page.end[rows]])


# -- paragraphs that are not those of the blocks -----------------------------------------------


def _regroup(page: Page, kept: KeptRuns, begins: BoolArray) -> KeptRuns:
    """Group kept leaves again; ``begins`` flags those that begin a run, bool[n_kept]."""
    starts = begins.nonzero()[0]
    runs = Runs(
        np.append(starts, kept.leaves.size).astype(np.int32),
        (np.cumsum(begins) - 1).astype(np.int32),
    )
    return kept._replace(
        runs=runs,
        first_row=page.leaves[kept.leaves[starts]],
        last_row=page.leaves[kept.leaves[runs.start[1:] - 1]],
    )


def join_continued(page: Page, kept: KeptRuns, continued: Collection[int]) -> KeptRuns:
    """Put a space before each of some leaves, and join the run that it begins to the run before."""
    places = np.isin(kept.leaves, list(continued)) if continued else np.zeros(0, np.bool_)
    if not places.any():
        return kept
    places[0] = False
    gaps = kept.gaps.copy()
    gaps[places] = SPACE
    return _regroup(page, kept._replace(gaps=gaps), _flag_begins(kept) & ~places)


def split_slides(page: Page, kept: KeptRuns) -> KeptRuns:
    """Begin a run with each slide of a carousel."""
    if not kept.tags[_CAROUSEL]:
        return kept
    slides = (page.tag[page.parent] == _CAROUSEL) & kept.holds
    begins = _flag_begins(kept)
    begins[kept.leaves.searchsorted(page.leaf_offset[slides.nonzero()[0]])] = True
    return _regroup(page, kept, begins)


def _flag_begins(kept: KeptRuns) -> BoolArray:
    """Flag the kept leaves that begin a run; bool[n_kept]."""
    begins = np.zeros(kept.leaves.size, np.bool_)
    begins[kept.runs.start[:-1]] = True
    return begins


# -- signatures and formulas laid out as tables ------------------------------------------------

_NO_BREAK_SPACE: Final = "\N{NO-BREAK SPACE}"
_SIGNATURE_CLASS: Final = rb"(?<![\w-])(?:memname|nm)(?![\w-])"
"""Classes of such tables, in lower case: Doxygen, mandoc."""


def find_signature_tables(page: Page) -> npt.NDArray[np.intp]:
    """Find the rows of tables that lay out a signature, and the table rows that do a formula."""
    attributes = page.attributes
    rows = attributes.rows_matching("class", _SIGNATURE_CLASS, of=page.tag == _TABLE)
    return np.sort(np.concatenate((rows, find_equation_rows(page)))).astype(np.intp)


def join_signatures(page: Page, kept: KeptRuns) -> KeptRuns:
    """Join the runs in each such table or row to one, with spaces between its cells."""
    tables = find_signature_tables(page) if kept.tags[_TABLE] else np.empty(0, np.intp)
    if not tables.size:
        return kept
    starts = kept.runs.start[:-1]
    first, stop = find_places(page, kept.leaves, tables)
    level = np.zeros(kept.leaves.size + 1, np.int64)
    np.add.at(level, first[first < stop] + 1, 1)
    np.add.at(level, stop[first < stop], -1)
    joined = (np.cumsum(level) > 0)[starts]
    if not joined.any():
        return kept
    gaps = kept.gaps.copy()
    for place in starts[joined].tolist():
        # Doxygen separates a type from its name with a space that does not break.
        ends_in_space = page.leaf_text(int(kept.leaves[place - 1])).endswith(_NO_BREAK_SPACE)
        gaps[place] = GLUE if ends_in_space else SPACE
    begins = _flag_begins(kept)
    begins[starts[joined]] = False
    return _regroup(page, kept._replace(gaps=gaps), begins)


# -- spaces of style sheets --------------------------------------------------------------------

_SPACED: Final = flags_of("cite del ins")
_OPENING: Final = frozenset("([{“‘„‚«‹¿¡\"'/-")
"""Characters that a source may follow without a space."""


def separate_words(page: Page, content: KeptRuns) -> None:
    """Add a space where the cited source of a quotation, or an edit, begins or ends within a word.

    A `cite` directly after a quotation is displayed on a line of its own, and of
    `<del>a</del><ins>b</ins>` only one is meant to be read. The gaps of the kept leaves are changed
    in place.
    """
    if not (content.tags & _SPACED).any():
        return
    rows = np.flatnonzero(content.holds & _SPACED[page.tag])
    kept, gaps = content.leaves, content.gaps
    first, stop = find_places(page, kept, rows)
    ends = set(page.end[rows].tolist())
    for row, begin, end in zip(rows.tolist(), first.tolist(), stop.tolist(), strict=True):
        is_cite = page.tag[row] == _CITE
        places = (begin, end) if is_cite else (begin,) if row in ends else ()
        for place in places:
            if not 0 < place < kept.size or gaps[place] != GLUE:
                continue
            before, after = page.leaf_text(int(kept[place - 1])), page.leaf_text(int(kept[place]))
            # No space before a note or a comma.
            if after[:1].isalnum() and not before[-1:].isspace() and before[-1:] not in _OPENING:
                gaps[place] = SPACE
