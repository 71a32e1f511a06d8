"""Signatures laid out as tables, a cell for each name and parenthesis: one line each."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.blocks import GLUE, SPACE
from thresher.page.tags import CODE_OF
from thresher.writers.outline.kept_runs import KeptRuns
from thresher.writers.outline.regrouping import regroup

__all__ = ["find_signature_tables", "join_signatures"]

_TABLE: Final = CODE_OF["table"]
_NO_BREAK_SPACE: Final = "\N{NO-BREAK SPACE}"
_CLASS: Final = rb"(?<![\w-])(?:memname|nm)(?![\w-])"
"""Classes of such tables, in lower case: Doxygen, mandoc."""


def find_signature_tables(page: Page) -> npt.NDArray[np.intp]:
    """Find the rows of tables that lay out a signature."""
    found = page.attributes
    rows = found.row.take(found.matching("class", _CLASS, of=page.tag == _TABLE))
    return rows.astype(np.intp)


def join_signatures(page: Page, kept: KeptRuns) -> KeptRuns:
    """Join the runs in each such table to one, with spaces between its cells."""
    tables = find_signature_tables(page) if kept.tags[_TABLE] else np.empty(0, np.intp)
    if not tables.size:
        return kept
    starts = kept.runs.start[:-1]
    first = kept.leaves.searchsorted(page.leaf_offset[tables])
    stop = kept.leaves.searchsorted(page.leaf_offset[page.end[tables]])
    joined = np.zeros(starts.size, np.bool_)
    for begin, end in zip(first.tolist(), stop.tolist(), strict=True):
        joined |= (starts > begin) & (starts < end)
    if not joined.any():
        return kept
    gaps = kept.gaps.copy()
    for place in starts[joined].tolist():
        # Doxygen separates a type from its name with a space that does not break.
        ends_in_space = page.leaf_text(int(kept.leaves[place - 1])).endswith(_NO_BREAK_SPACE)
        gaps[place] = GLUE if ends_in_space else SPACE
    begins = np.zeros(kept.leaves.size, np.bool_)
    begins[starts[~joined]] = True
    return regroup(page, kept._replace(gaps=gaps), begins)
