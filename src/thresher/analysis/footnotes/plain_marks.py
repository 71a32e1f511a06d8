"""Footnotes without links: raised marks in the text, and the same before the notes at its end.

Notes may also be the items of a numbered list, or numbered lines below a rule.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from thresher.analysis.footnotes.model import NoteReference
from thresher.analysis.footnotes.note_spans import find_line_span
from thresher.analysis.footnotes.references import read_mark
from thresher.analysis.inner_links import InnerLink
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import CODE_OF, flags_of

__all__ = ["find_plain_marks"]

_Span = tuple[int, int, int]
"""Row and leaves of a note."""

_HR, _OL, _SUP = (flags_of(name) for name in ("hr", "ol", "sup"))
_A, _LI = CODE_OF["a"], CODE_OF["li"]
_MIN_NUMBERED: Final = 2
"""Notes that a list has at least; one item may be anything."""
_EXPONENT: Final = re.compile(r"(?:^|[\s(\d/·.-])[^\W\d_]{1,2}$|\d$")
"""End of a text before a number that is no mark: that of a unit or variable, or of a number."""
_NUMBERED: Final = re.compile(r"\s*[\[(]?([0-9]{1,3})(?:[\]).:](?!\S)|\s*$)")
"""Beginning of a note: a number in brackets or before a sign, or alone."""
_MIN_BEFORE: Final = 4
"""Words before the notes, at least, for each one after them, as in a footer."""
_MAX_CHARS: Final = 8
"""Characters of a mark with the white space around it."""
_BEFORE: Final = 16
"""Characters before a mark that are looked at."""


def find_plain_marks(page: Page, keep: BoolArray) -> list[NoteReference]:
    """Find such notes with the references to them among the kept leaves, bool[n_leaf].

    Each raised mark that begins a line must be that of a note, and have a reference before the
    first note. Without any, the notes are the items of the last numbered list, or the lines below
    the last rule, if they have the numbers that the text has, from one on. Little text follows the
    notes.
    """
    rows = page.rows_of(_SUP)
    if rows.size < 2 or not page.leaves.size:
        return []
    first = page.leaf_offset.take(rows)
    last = np.minimum(page.leaf_offset.take(page.end.take(rows)), page.leaves.size - 1)
    rows = rows[(first < last) & keep.take(first, mode="clip")]
    referring: dict[str, list[int]] = {}
    notes: dict[str, tuple[int, _Span]] = {}
    highest = 0
    for row in watch(rows.tolist()):
        if _has_link(page, row) or (mark := _read_plain_mark(page, row)) is None:
            continue
        leaf = int(page.leaf_offset[row])
        if leaf == page.lines.start[page.lines.of_leaf[leaf]]:
            span = find_line_span(page, leaf)
            if span is None or mark in notes or mark not in referring:
                return []
            notes[mark] = (row, span)
        elif not notes and _follows_word(page, row, mark):
            is_next = mark.isdecimal() and mark not in referring
            if not is_next or int(mark) > highest:
                referring.setdefault(mark, []).append(row)
                highest = int(mark) if is_next else highest
    if not notes:
        notes = _find_numbered(page, keep, referring)
    if not notes:
        return []
    words = sum_before(page.leaf_words * keep)
    spans = [span for _, span in notes.values()]
    if words[spans[0][1]] < _MIN_BEFORE * (words[-1] - words[spans[-1][2]]):
        return []
    return [
        NoteReference(InnerLink(row, "", target), mark, *span)
        for mark, (target, span) in notes.items()
        for row in referring[mark]
    ]


def _find_numbered(
    page: Page, keep: BoolArray, referring: dict[str, list[int]]
) -> dict[str, tuple[int, _Span]]:
    """Return the items of the last list, or the lines below a rule, numbered as the references."""
    numbers = [str(number) for number in range(1, len(referring) + 1)]
    if len(numbers) < _MIN_NUMBERED or numbers != list(referring):
        return {}
    behind = int(page.leaf_offset[referring[numbers[-1]][-1]]) + 1
    lists, rules = page.rows_of(_OL), page.rows_of(_HR)
    lists = lists[page.leaf_offset[lists] >= behind]
    if lists.size:
        last = int(lists[-1])
        items = np.flatnonzero(page.parent[last : page.end[last]] == last) + last
        items = items[page.tag[items] == _LI]
        first, stop = page.leaf_offset[items].tolist(), page.leaf_offset[page.end[items]].tolist()
        if items.size == len(numbers) and keep[first].all():
            spans = zip(items.tolist(), first, stop, strict=True)
            return {mark: (span[0], span) for mark, span in zip(numbers, spans, strict=True)}
    if rules.size and page.leaf_offset[rules[-1]] >= behind:
        return _find_numbered_lines(page, numbers, int(page.leaf_offset[rules[-1]]))
    return {}


def _find_numbered_lines(page: Page, numbers: list[str], leaf: int) -> dict[str, tuple[int, _Span]]:
    """Return the lines from a leaf on, which begin with numbers, if all do."""
    found: dict[str, tuple[int, _Span]] = {}
    starts = page.lines.start
    for mark in numbers:
        span = find_line_span(page, leaf)
        number = _NUMBERED.match(page.leaf_text(leaf))
        if span is None or number is None or number[1] != mark:
            return {}
        found[mark] = (int(page.leaves[leaf]), span)
        leaf = int(starts[page.lines.of_leaf[leaf] + 1])
    return found


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
    return not (mark.isdecimal() and _EXPONENT.search(before))
