"""Kept blocks that only name the authors, for outputs that show these above the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from thresher.analysis.metadata.normalise import key_of
from thresher.analysis.metadata.people import AuthorStatement, read_names
from thresher.selection import Selection

__all__ = ["drop_byline"]

_N_BLOCK: Final = 12
"""Kept blocks that are looked at: a byline stands above the text."""
_MAX_WORDS: Final = 30
"""Words of a byline; a longer block is text, and what is below it is no byline of the page's."""


def drop_byline(selection: Selection, authors: Sequence[str]) -> Selection:
    """Return a selection without the blocks above the text that name authors and no one else."""
    keys = {key_of(name) for name in authors}
    page, blocks = selection.page, selection.page.blocks
    keep = selection.keep.copy()
    for block in np.flatnonzero(selection.block_keep)[: _N_BLOCK if keys else 0].tolist():
        text = page.block_text(block)
        if len(text.split()) > _MAX_WORDS:
            break
        names, _ = read_names([AuthorStatement(text)])
        if names and keys.issuperset(map(key_of, names)):
            keep[blocks.start[block] : blocks.start[block + 1]] = False
    is_same = not keep.any() or np.array_equal(keep, selection.keep)
    return selection if is_same else replace(selection, keep=keep)
