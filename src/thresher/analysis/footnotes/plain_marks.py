"""Footnotes without links: raised marks in the text, and the same before the notes at its end."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from thresher.analysis.footnotes.model import NoteReference
from thresher.analysis.footnotes.note_spans import find_line_span
from thresher.analysis.footnotes.references import read_mark
from thresher.analysis.inner_links import InnerLink
from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import CODE_OF, flags_of

__all__ = ["find_plain_marks"]

_SUP: Final = flags_of("sup")
_A: Final = CODE_OF["a"]
_EXPONENT: Final = re.compile(r"(?:^|[\s(\d/·.-])[^\W\d_]{1,2}$|\d$")
"""End of a text before a number that is no mark: that of a unit or variable, or of a number."""
_MAX_CHARS: Final = 8
"""Characters of a mark with the white space around it."""
_BEFORE: Final = 16
"""Characters before a mark that are looked at."""


def find_plain_marks(page: Page, keep: BoolArray) -> list[NoteReference]:
    """Find such notes with the references to them among the kept leaves, bool[n_leaf].

    Each raised mark that begins a line must be that of a note, and have a reference before the
    first note; the numbers count upwards, and less text follows the notes than precedes them.
    """
    rows = page.rows_of(_SUP)
    if rows.size < 2:
        return []
    first = page.leaf_offset.take(rows)
    last = np.minimum(page.leaf_offset.take(page.end.take(rows)), page.leaves.size - 1)
    rows = rows[(first < last) & keep.take(first)]
    referring: dict[str, int] = {}
    notes: dict[str, tuple[int, int, int, int]] = {}
    order: list[int] = []
    for row in rows.tolist():
        if _has_link(page, row) or (mark := _read_plain_mark(page, row)) is None:
            continue
        leaf = int(page.leaf_offset[row])
        line = page.lines.start[page.lines.of_leaf[leaf]]
        if leaf == line:
            span = find_line_span(page, leaf)
            if span is None or mark in notes or mark not in referring:
                return []
            notes[mark] = (row, *span)
        elif not notes and mark not in referring and _follows_word(page, row, mark):
            if mark.isdigit():
                if order and int(mark) <= order[-1]:
                    continue
                order.append(int(mark))
            referring[mark] = row
    if not notes:
        return []
    words = sum_before(page.leaf_words * keep)
    spans = [*notes.values()]
    if words[spans[0][2]] <= words[-1] - words[spans[-1][3]]:
        return []
    return [
        NoteReference(InnerLink(referring[mark], "", row), mark, *span)
        for mark, (row, *span) in notes.items()
    ]


def _has_link(page: Page, row: int) -> bool:
    inside = page.tag[row : page.end[row]]
    return bool(page.in_link[row] or (inside == _A).any())


def _read_plain_mark(page: Page, row: int) -> str | None:
    """Return the mark that a `sup` is: a number or a sign."""
    if page.text_offset[page.end[row]] - page.text_offset[row] > _MAX_CHARS:
        return None
    mark = read_mark(page.text_of(row))
    return None if mark is None or mark.isalpha() else mark


def _follows_word(page: Page, row: int, mark: str) -> bool:
    """Return whether a mark directly follows a word or sentence, and is not an exponent."""
    start = int(page.text_offset[row])
    before = page.text[max(start - _BEFORE, 0) : start]
    if not before or before[-1].isspace():
        return False
    return not (mark.isdigit() and _EXPONENT.search(before))
