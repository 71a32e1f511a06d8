"""Spaces that style sheets put beside inline elements, added where words would run together."""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.page import Page
from thresher.page.blocks import GLUE, SPACE
from thresher.page.tags import CODE_OF, flags_of
from thresher.writers.outline.kept_runs import KeptRuns

__all__ = ["separate_words"]

_CITE: Final = CODE_OF["cite"]
_PARTS: Final = flags_of("cite del ins")
_OPENING: Final = frozenset("([{“‘„‚«‹¿¡\"'/-")
"""Characters that a source may follow without a space."""


def separate_words(page: Page, content: KeptRuns) -> None:
    """Add a space where the cited source of a quotation, or an edit, begins or ends within a word.

    A `cite` directly after a quotation is displayed on a line of its own, and of
    `<del>a</del><ins>b</ins>` only one is meant to be read. The gaps of the kept leaves are changed
    in place.
    """
    if not (content.tags & _PARTS).any():
        return
    rows = np.flatnonzero(content.holds & _PARTS[page.tag])
    kept, gaps = content.leaves, content.gaps
    first = np.searchsorted(kept, page.leaf_offset[rows])
    stop = np.searchsorted(kept, page.leaf_offset[page.end[rows]])
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
