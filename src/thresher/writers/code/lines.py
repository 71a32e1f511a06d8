"""The exact text of code blocks, including white space and line ends that only the markup shows.

Highlighters split code into hundreds of elements. Some keep the line ends; others put each line
into an element of its own, a break after it, or a number before it.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray
from thresher.page.tags import BLOCK, CODE_OF, TEXT, flags_of
from thresher.support.cached import cached_view

_BR, _BUTTON, _CODE, _DIV = (CODE_OF[name] for name in "br button code div".split())

# -- code without a `pre` ----------------------------------------------------------------------

PREFORMATTED: Final = flags_of("listing pre")
_HOLDERS: Final = flags_of("code div ol td ul")
_LINE: Final = CLASS_PARTS.bits(b"line")
_FRAGMENT_LINES: Final = (
    rb"(?<![\w-])(?:(?:code|cm|view|token|crayon|ace)[_-]?line|line number\d+)(?![\w-])"
)
"""Lines in highlighters and editors: react-syntax-highlighter and blogs, CodeMirror, Monaco, Prism
for React, Crayon, Ace, SyntaxHighlighter."""
_FRAGMENT: Final = CLASS_PARTS.bits(b"fragment")
_FRAGMENT_CLASS: Final = rb"(?<![\w-])fragment(?![\w-])"
_FRAGMENT_LINE: Final = rb"(?<![\w-])line(?![\w-])"
"""Doxygen's code and its lines; elsewhere these classes mean slides and verses too."""
_ENLIGHTER: Final = CLASS_PARTS.bits(b"enlighter")
_ENLIGHTER_CLASS: Final = rb"(?<![\w-])enlighter(?![\w-])"
_MONOSPACE: Final = rb"monospace"
_PRE_STYLE: Final = rb"white-space\s*:\s*pre(?![\w-])"
"""Styles of code that was copied from an editor."""


@cached_view
def find_fragments(page: Page) -> npt.NDArray[np.integer]:
    """Return the rows of such elements, in order, none of them in a `pre`."""
    attributes = page.attributes
    candidates = [_find_holders(page, attributes.rows_classed(_LINE, _FRAGMENT_LINES))]
    fragments = attributes.rows_classed(_FRAGMENT, _FRAGMENT_CLASS)
    if fragments.size:
        lines = attributes.rows_classed(_LINE, _FRAGMENT_LINE)
        candidates.append(np.intersect1d(fragments, page.parent[lines]))
    candidates.append(attributes.rows_classed(_ENLIGHTER, _ENLIGHTER_CLASS))
    styled = attributes.matching("style", _MONOSPACE, of=page.tag == _DIV)
    if styled.size:
        styled = np.intersect1d(styled, attributes.matching("style", _PRE_STYLE))
        candidates.append(attributes.row[styled])
    if not any(map(len, candidates)):
        return candidates[0]  # on most pages
    rows: npt.NDArray[np.integer] = np.unique(np.concatenate(candidates))
    rows = rows[_HOLDERS[page.tag[rows]]]
    return rows[~page.within(PREFORMATTED[page.tag])[rows]] if rows.size else rows


def _find_holders(page: Page, lines: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """Return the elements of which all child elements are lines."""
    if not lines.size:
        return lines
    holders, n_line = np.unique(page.parent[lines], return_counts=True)
    n_child = np.bincount(page.parent[1:][page.tag[1:] != TEXT], minlength=len(page))
    return np.asarray(holders[n_child[holders] == n_line])


# -- the text of code --------------------------------------------------------------------------

_ROW_PARTS: Final = flags_of("colgroup table tbody tfoot thead tr")
_LINES: Final = BLOCK & ~flags_of("caption colgroup tbody td tfoot th thead")
"""Elements in code that are lines or hold lines; the cells of a row are in one line."""
_HOLDS_LINES: Final = BLOCK | flags_of("code pre")
_LINE_CLASS: Final = re.compile(
    rb' class="[^"]*(?<![\w-])(?:line|code-?line|token-line|view-line|cm-line|highlight-line|loc)'
    rb'(?![\w-])| data-line(?:-number)?="'
)
"""Inline elements that style sheets may display as lines."""
_WHITE: Final = re.compile(r"[ \t\n\r\f]+")


class _CodeText(NamedTuple):
    """A text of a `pre`, or a line end in it."""

    row: int
    """The row of the text, or the row before which a line ends."""
    text: str
    is_exact: bool
    """Whether it is the whole text of its row, character for character."""

    @property
    def is_end(self) -> bool:
        """True if the event is a line end that only the markup shows."""
        return self.text == "\n" and not self.is_exact


class _Due(IntEnum):
    """The need to end a line before the next event."""

    NO = 0
    IF_LINE = 1
    """After an element that may be displayed as a line: if another such element follows."""
    YES = 2
    """After a block."""


def read_code(page: Page, keep: BoolArray, gutters: BoolArray, pre: int) -> list[_CodeText]:
    """Return the text of a `pre` in order, white space included.

    ``keep`` flags rows that are kept leaves, ``gutters`` leaves that are not code (`find_gutters`);
    bool[n_row]. White space is kept or dropped with the code before it, leading white space with
    the first code; gutters do not count. A line ends at a line break, and at the edge of a block
    where the text itself has no line end. An empty block after another is an empty line, and so is
    a number without code.
    """
    return _PreReader(page, keep, gutters, pre).texts


class _PreReader:
    """Reads one `pre`, event by event: texts, line breaks, starts and ends of lines."""

    def __init__(self, page: Page, keep: BoolArray, gutters: BoolArray, pre: int) -> None:
        self.page = page
        self.texts: list[_CodeText] = []
        self._keep, self._gutters = keep, gutters
        self._line_open = False
        self._due = _Due.NO
        self._closed = (-1, -1)
        """Parent and tag of the line that ended last."""
        first, stop = page.leaf_span(pre)
        leaves = page.leaves[first:stop]
        leaves = leaves[page.tag[leaves] == TEXT]
        code, numbers = leaves[~gutters[leaves]], leaves[gutters[leaves]]
        if not code.size:
            return
        self._writes = bool(keep[code[0]])
        # Numbers in a separate column have no lines beside them.
        self._numbered = numbers.size > 0 and bool(
            ((code > numbers[0]) & (code < numbers[-1])).any()
        )
        self._at_number = -1
        tag = page.tag[pre + 1 : page.end[pre]]
        breaks = tag == _BR
        in_button = _flag_buttons(page, pre)
        lines = _LINES[tag] & ~in_button
        self._collapses = bool(page.tag[pre] == _CODE and (breaks.any() or lines.any()))
        texts = _find_texts(page, pre, in_button)
        self._read(pre, lines, breaks | lines | _find_maybe_lines(page, pre) | texts)

    def _read(self, pre: int, lines: BoolArray, is_event: BoolArray) -> None:
        page, first = self.page, pre + 1
        events = np.flatnonzero(is_event) + first
        ends: list[tuple[int, int, _Due]] = []
        following = [*events[1:].tolist(), int(page.end[pre])]
        for row, behind in watch(zip(events.tolist(), following, strict=True)):
            while ends and row >= ends[-1][0]:
                _, line, kind = ends.pop()
                self._closed = int(page.parent[line]), int(page.tag[line])
                if self._line_open:
                    self._due = max(self._due, kind)
            if page.tag[row] == TEXT:
                above = page.parent[row]
                is_last = behind >= page.end[above] and bool(_HOLDS_LINES[page.tag[above]])
                edge = is_last or (behind < page.end[pre] and bool(lines[behind - first]))
                self._read_text(row, at_edge=edge)
            elif page.tag[row] == _BR:
                if self._line_open and self._due is _Due.YES:
                    self._end_line(row)
                self._end_line(row)
            else:
                kind = _Due.YES if lines[row - first] else _Due.IF_LINE
                self._start_line(row, kind)
                ends.append((int(page.end[row]), row, kind))

    def _start_line(self, row: int, kind: _Due) -> None:
        page = self.page
        if self._line_open and (kind is _Due.YES or self._due):
            self._end_line(row)
        empty = page.end[row] == row + 1 or page.text_offset[page.end[row]] == page.text_offset[row]
        empty = empty and not (page.tag[row : page.end[row]] == _BR).any()
        if empty and kind is _Due.YES and self._closed == (page.parent[row], page.tag[row]):
            self._end_line(row)

    def _read_text(self, row: int, *, at_edge: bool) -> None:
        page = self.page
        text = page.text[page.text_offset[row] : page.text_offset[row + 1]]
        blank = not text.strip()  # also of no-break spaces, which fill GeSHi's empty lines
        if not blank and self._gutters[row]:
            self._read_number(row, text)
            return
        if not blank:
            self._writes = bool(self._keep[row])
        if not self._writes or (blank and _ROW_PARTS[page.tag[page.parent[row]]]):
            return
        exact = text
        if self._collapses:
            text = _WHITE.sub(" ", text)
            text = text if self._line_open and not self._due else text.lstrip(" ")
            if not text:
                return
        elif blank and at_edge and not text.endswith("\n") and ("\n" in text or not self.texts):
            # Indentation of the markup around the blocks that are its lines.
            if self._line_open:
                self._end_line(row)
            return
        if self._due is _Due.YES and not text.startswith("\n"):
            self._end_line(row)
        self._due = _Due.NO
        self.texts.append(_CodeText(row, text, text == exact))
        self._line_open = not text.endswith("\n")

    def _read_number(self, row: int, text: str) -> None:
        """Drop the number of a line, but keep the line."""
        if not self._numbered:
            return
        begun = text.startswith("\n") and self._line_open
        if begun or self._due is _Due.YES or self._at_number == len(self.texts):
            self._end_line(row)
        self._at_number = len(self.texts)

    def _end_line(self, row: int) -> None:
        if self._writes:
            self.texts.append(_CodeText(row, "\n", is_exact=False))
        self._line_open, self._due = False, _Due.NO


def _flag_buttons(page: Page, pre: int) -> BoolArray:
    """Flag the rows of a `pre` that are buttons or inside one."""
    rows = np.arange(pre + 1, int(page.end[pre]))
    buttons = rows[page.tag[rows] == _BUTTON]
    level = np.zeros(rows.size + 1, np.int64)
    np.add.at(level, buttons - pre - 1, 1)
    np.add.at(level, page.end[buttons] - pre - 1, -1)
    flags: BoolArray = np.cumsum(level[:-1]) > 0
    return flags


def _find_texts(page: Page, pre: int, in_button: BoolArray) -> BoolArray:
    """Flag the texts of a `pre`, except indentation of markup around its code or a button."""
    rows = slice(pre + 1, int(page.end[pre]))
    shown = np.zeros(rows.stop - rows.start, np.bool_)
    leaves = page.leaves[slice(*page.leaf_span(pre))]
    shown[leaves - rows.start] = True
    blank = np.diff(page.chars_before[rows.start : rows.stop + 1]) == 0
    outside = in_button.copy()
    code = np.flatnonzero(page.tag[rows] == _CODE)
    if code.size:
        outside[: code[0]] = True
        outside[int(page.end[code + rows.start].max()) - rows.start :] = True
    flags: BoolArray = (page.tag[rows] == TEXT) & (shown | (blank & ~outside))
    return flags


def _find_maybe_lines(page: Page, pre: int) -> BoolArray:
    """Flag the inline elements of a `pre` that may be displayed as lines."""
    rows = np.arange(pre + 1, int(page.end[pre]))
    flags = np.zeros(rows.size, np.bool_)
    code = rows[page.tag[rows] == _CODE]
    if code.size > 1:
        around, place, count = np.unique(page.parent[code], return_inverse=True, return_counts=True)
        several = (count > 1) & ~_flag_line_classes(page, around)
        flags[code[several[place]] - pre - 1] = True
    markup = page.buffer[page.open_start[pre] : page.close_stop[pre]]
    if _LINE_CLASS.search(markup):
        elements = rows[(page.tag[rows] != TEXT) & ~BLOCK[page.tag[rows]]]
        flags[elements[_flag_line_classes(page, elements)] - pre - 1] = True
    return flags


def _flag_line_classes(page: Page, rows: npt.NDArray[np.integer]) -> BoolArray:
    matches = [_LINE_CLASS.search(page.start_tag(row)) for row in rows.tolist()]
    return np.array([bool(match) for match in matches], np.bool_)
