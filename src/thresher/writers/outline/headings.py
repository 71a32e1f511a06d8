"""Headings as they are written: those that ARIA names too, and no level left out between two.

Levels are those of the page, closed up: of the levels that are written, the highest stays and each
next one follows it. A page of `h1` and `h4` comes out with levels 1 and 2; one that begins with
`h3` still does. The same level of the page is always the same level of the output.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, flags_of
from thresher.writers.outline.permalinks import HEADINGS

__all__ = ["compact_levels", "read_headings"]

TagArray = npt.NDArray[np.int16]

_H1: Final = CODE_OF["h1"]
_MAX_LEVEL: Final = 6
"""Codes of tags are in the order of their names, so those of headings follow each other."""
_DEFAULT_LEVEL: Final = 2
"""Of a `role=heading` without a level (WAI-ARIA 1.2, 5.3.3)."""
_CAN_BE: Final = flags_of("address center div header p section")
"""Elements that can be a heading because their role says so."""


def read_headings(page: Page, holds: BoolArray) -> TagArray:
    """Return the tag of each row, that of a heading where `role=heading` makes it one.

    ``holds`` flags the rows that are looked at; bool[n_row].
    """
    found = page.attributes
    entries = found.named("role")
    rows = found.row[entries]
    is_one = holds[rows] & _CAN_BE[page.tag[rows]]
    if not is_one.any():
        return page.tag
    entries, rows = entries[is_one], rows[is_one]
    spans = zip(found.start[entries].tolist(), found.stop[entries].tolist(), strict=True)
    rows = rows[[page.buffer[start:stop] == b"heading" for start, stop in spans]]
    if not rows.size:
        return page.tag
    tag = page.tag.copy()
    has_heading = page.subtree_sums(HEADINGS[page.tag]) > 0
    for row in rows[~has_heading[rows]].tolist():
        stated = (page.attr(row, "aria-level") or "").strip()
        level = int(stated) if stated.isascii() and stated.isdigit() else _DEFAULT_LEVEL
        tag[row] = _H1 + min(max(level, 1), _MAX_LEVEL) - 1
    return tag


def compact_levels(tag: TagArray, structure: BoolArray) -> TagArray:
    """Return the tags with the levels of the headings among ``structure`` closed up."""
    rows = (structure & HEADINGS[tag]).nonzero()[0]
    used = sorted(set(tag[rows].tolist()))
    if not used or used[-1] - used[0] == len(used) - 1:
        return tag
    closed = tag.copy()
    for place, level in enumerate(used):
        closed[rows[tag[rows] == level]] = used[0] + place
    return closed
