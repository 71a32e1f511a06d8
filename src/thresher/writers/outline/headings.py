"""Headings in the output: those of the page, those declared with ARIA, and titles of Word."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.word_exports import find_title
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, flags_of
from thresher.support.quoting import read_whole_number
from thresher.writers.outline.permalinks import HEADINGS

__all__ = ["read_headings"]

TagArray = npt.NDArray[np.int16]

_H1: Final = CODE_OF["h1"]
_MAX_LEVEL: Final = 6
"""Tag codes are in the order of their names, so those of headings are consecutive."""
_DEFAULT_LEVEL: Final = 2
"""Level of a `role=heading` without one (WAI-ARIA 1.2, 5.3.3)."""
_CAN_BE: Final = flags_of("address center div header p section")
"""Elements that `role=heading` can turn into a heading."""


def read_headings(page: Page, holds: BoolArray) -> TagArray:
    """Return the tag of each row, with `role=heading` elements and the title of Word as headings.

    ``holds`` flags the rows to be considered; bool[n_row]. Below the title of a document that Word
    exported, its headings are one level lower.
    """
    tag, title = page.tag, find_title(page)
    if title and holds[title]:
        # Its headings are below it.
        tag = np.where(HEADINGS[tag] & (tag < _H1 + _MAX_LEVEL - 1), tag + 1, tag).astype(np.int16)
        tag[title] = _H1
    found = page.attributes
    entries = found.named("role")
    rows = found.row[entries]
    is_one = holds[rows] & _CAN_BE[page.tag[rows]]
    if not is_one.any():
        return tag
    entries, rows = entries[is_one], rows[is_one]
    spans = zip(found.start[entries].tolist(), found.stop[entries].tolist(), strict=True)
    rows = rows[[page.buffer[start:stop] == b"heading" for start, stop in spans]]
    if not rows.size:
        return tag
    tag = tag.copy()
    has_heading = page.subtree_sums(HEADINGS[page.tag]) > 0
    for row in rows[~has_heading[rows]].tolist():
        stated = read_whole_number(page.attr(row, "aria-level") or "")
        level = _DEFAULT_LEVEL if stated is None else stated
        tag[row] = _H1 + min(max(level, 1), _MAX_LEVEL) - 1
    return tag
