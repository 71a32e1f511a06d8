"""Links from notes back to their references, and leaves of notes that only repeat the mark."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Final

import numpy as np

from thresher.analysis.footnotes.model import Note
from thresher.analysis.inner_links import InnerLink
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF

__all__ = ["find_back_links", "leads_back"]


_A: Final = CODE_OF["a"]
_ARROWS: Final = re.compile(r"[\s\ufe0e\ufe0f^↑↩↵⏎⤴⬆☝🔙\[\]()]+")
"""Text of a back link other than the mark."""
_ORNAMENT: Final = re.compile(r"[\s^↑\[\]().:,]+")
_LEVELS_UP: Final = 3
"""Elements between a note's first leaf and a link around it."""


def leads_back(page: Page, target: int, references: list[int]) -> bool:
    """Return whether a target is that of one of some references, given in order.

    It may be the link itself, an ancestor, or an anchor right before it.
    """
    after = references[bisect_left(references, target) :][:1]
    leaf = page.leaf_offset[target]
    if after and (after[0] < page.end[target] or page.leaf_offset[after[0]] - leaf in (0, 1)):
        return True
    before = references[: bisect_left(references, target)][-1:]
    return bool(before) and target < page.end[before[0]]


def find_back_links(
    page: Page,
    keep: BoolArray,
    notes: tuple[Note, ...],
    references: dict[int, int],
    backward: list[InnerLink],
) -> tuple[dict[int, int], list[int], list[int]]:
    """Return the back links (row → note), the leaves that link back or repeat marks, and arrows.

    Arrows are the leaves of back links without a target. ``references`` maps the row of each
    reference to its note; ``backward`` are the upward links, in order.
    """
    referring: dict[int, list[int]] = {}
    for row, index in references.items():
        referring.setdefault(index, []).append(row)
    starts = [note.first for note in notes]
    back: dict[int, int] = {}
    for link in watch(backward):
        leaf = int(page.leaf_offset[link.row])
        index = bisect_right(starts, leaf) - 1
        is_inside = index >= 0 and leaf < notes[index].stop
        if is_inside and leads_back(page, link.target, referring[index]):
            back[link.row] = index
    ornaments: list[int] = []
    arrows: list[int] = []
    for note in watch(notes):
        known: set[int] = set()
        # A link around the note's first leaf begins before that.
        begin = max(int(page.leaves[note.first]) - _LEVELS_UP, 0)
        links = np.flatnonzero(page.tag[begin : page.leaves[note.stop - 1]] == _A) + begin
        for row in links.tolist():
            inside = range(int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]]))
            if inside.start < note.first:
                continue
            if row in back:
                known.update(inside)
            elif _ARROWS.fullmatch(page.text_of(row)):
                arrows.extend(inside)
        known.update(_leading_ornaments(page, keep, note, known))
        ornaments.extend(sorted(known))
    return back, ornaments, arrows


def _leading_ornaments(page: Page, keep: BoolArray, note: Note, known: set[int]) -> list[int]:
    """Return the leaves before a note's first word that are symbols or repeat the mark."""
    found: list[int] = []
    after_mark = False
    for leaf in watch(range(note.first, note.stop)):
        if leaf in known:
            after_mark = True
            continue
        text = page.leaf_text(leaf).strip()
        is_mark = not after_mark and text.strip("[]().:") == note.mark
        is_sign = text in ("^", "↑") or (text in ("[", "(") and leaf + 1 in known)
        if keep[leaf]:
            if not (is_mark or is_sign or (after_mark and _ORNAMENT.fullmatch(text))):
                break
            found.append(leaf)
        after_mark |= is_mark
    return found
