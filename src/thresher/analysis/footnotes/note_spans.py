"""The element and the leaves of the note that a link leads to."""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.analysis.footnotes.references import is_named, read_mark
from thresher.page import Page
from thresher.page.tags import BLOCK, CODE_OF, TEXT, flags_of

__all__ = ["find_line_span", "find_note_span"]

_DD, _DT, _P, _TABLE, _TR = (CODE_OF[name] for name in ("dd", "dt", "p", "table", "tr"))
_HEADINGS: Final = flags_of("h1 h2 h3 h4 h5 h6")
_PARTS: Final = flags_of("article body caption html main pre listing tbody td th tr")
"""Block-level elements that cannot be a note, nor can headings."""
_ONE_LINE: Final = _HEADINGS | flags_of("caption listing pre td th")
"""Elements whose lines are no notes."""


def find_note_span(page: Page, target: int) -> tuple[int, int, int] | None:
    """Return the row and the leaves of the note that begins at a target; None if it is not one.

    The row is −1 for a note below a heading that shows its mark, as Texinfo writes them, and for
    the lines from an anchor to the end of its block.
    """
    tag, start = page.tag[target], target
    if tag == _DT:
        is_mark = read_mark(page.text_of(target))
        target = int(page.end[target])
        while target < len(page) and page.tag[target] == TEXT:
            target += 1
        if target == len(page) or page.tag[target] != _DD or not is_mark:
            return None
    elif not BLOCK[tag]:
        leaf, start = int(page.leaf_offset[target]), _block_at(page, target)
        if start < 0 or _PARTS[page.tag[start]]:
            return find_line_span(page, leaf)
        target = start
    elif tag == _TABLE and np.count_nonzero(page.tag[target : page.end[target]] == _TR) > 1:
        return None
    if _HEADINGS[page.tag[target]] and read_mark(page.text_of(target)):
        return _span_below(page, target)
    inside = slice(target, page.end[target])
    if _PARTS[page.tag[target]] or _HEADINGS[page.tag[inside]].any():
        return None
    first, stop = int(page.leaf_offset[start]), int(page.leaf_offset[page.end[target]])
    return (target, first, stop) if stop > first else None


def find_line_span(page: Page, leaf: int) -> tuple[int, int, int] | None:
    """Return the lines from a leaf that begins one to the end of its block."""
    if leaf == page.leaves.size or page.lines.start[page.lines.of_leaf[leaf]] != leaf:
        return None
    block = int(page.blocks.of_leaf[leaf])
    if _ONE_LINE[page.tag[page.block_row[block]]]:
        return None
    return -1, leaf, int(page.blocks.start[block + 1])


def _span_below(page: Page, heading: int) -> tuple[int, int, int] | None:
    """Return the leaves of a heading and of the paragraph directly after it."""
    note = int(page.end[heading])
    while note < len(page) and page.tag[note] == TEXT:
        note += 1
    if note == len(page) or page.tag[note] != _P:
        return None
    return -1, int(page.leaf_offset[heading]), int(page.leaf_offset[page.end[note]])


def _block_at(page: Page, anchor: int) -> int:
    """Return the block-level element that begins with an anchor, −1 for none."""
    leaf = int(page.leaf_offset[anchor])
    if leaf == page.leaves.size or page.blocks.start[page.blocks.of_leaf[leaf]] != leaf:
        return -1
    row = int(page.block_row[page.blocks.of_leaf[leaf]])
    above = int(page.parent[row])
    # A container of all paragraphs of a note has a name of notes.
    while above > 0 and page.leaf_offset[above] == leaf and _names_note(page, above):
        row, above = above, int(page.parent[above])
    return row


def _names_note(page: Page, row: int) -> bool:
    attrs = page.attrs(row)
    return is_named(f"#{attrs.get('id', '')} {attrs.get('class', '')}".encode())
