"""Signatures and formulas laid out as tables, a cell for each part: one line each."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.blocks import GLUE, SPACE
from thresher.page.tags import CODE_OF
from thresher.writers.math.formulas import find_equation_rows
from thresher.writers.outline.kept_runs import KeptRuns
from thresher.writers.outline.regrouping import regroup

__all__ = ["find_signature_tables", "join_signatures"]

_TABLE: Final = CODE_OF["table"]
_NO_BREAK_SPACE: Final = "\N{NO-BREAK SPACE}"
_CLASS: Final = rb"(?<![\w-])(?:memname|nm)(?![\w-])"
"""Classes of such tables, in lower case: Doxygen, mandoc."""


def find_signature_tables(page: Page) -> npt.NDArray[np.intp]:
    """Find the rows of tables that lay out a signature, and the table rows that do a formula."""
    found = page.attributes
    rows = found.row.take(found.matching("class", _CLASS, of=page.tag == _TABLE))
    return np.sort(np.concatenate((rows, find_equation_rows(page)))).astype(np.intp)


def join_signatures(page: Page, kept: KeptRuns) -> KeptRuns:
    """Join the runs in each such table or row to one, with spaces between its cells."""
    tables = find_signature_tables(page) if kept.tags[_TABLE] else np.empty(0, np.intp)
    if not tables.size:
        return kept
    starts = kept.runs.start[:-1]
    first = kept.leaves.searchsorted(page.leaf_offset[tables])
    stop = kept.leaves.searchsorted(page.leaf_offset[page.end[tables]])
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
    begins = np.zeros(kept.leaves.size, np.bool_)
    begins[starts[~joined]] = True
    return regroup(page, kept._replace(gaps=gaps), begins)
