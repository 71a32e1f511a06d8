"""Elements that mean something else where they are: controls in a sentence, parts of a drawing.

A button or a list of choices is a block of its own, unless a sentence goes on behind it: "A falling
tide, or <button>ebb</button>, is late". A template there is nothing, not even an edge. The
`<title>` of a drawing is none of a page.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page.leaves import CLOSING
from thresher.page.rows import BoolArray, find_nearest, find_tagged, flag_below, flag_within, freeze
from thresher.page.scan import Columns, IntArray
from thresher.page.tags import BLOCK, CODE_OF, OTHER, TEXT, UNSHOWN, flags_of
from thresher.page.text import unescape_bytes

_A, _SVG = CODE_OF["a"], CODE_OF["svg"]
_CONTROLS: Final = flags_of("button select template")
_CHOICES: Final = flags_of("optgroup option")
_OPTION: Final = CODE_OF["option"]
_SELECT, _TEMPLATE = CODE_OF["select"], CODE_OF["template"]
_PLACED: Final = _CONTROLS | flags_of("svg")
_ENDS_LINE: Final = BLOCK | flags_of("br script style")
_SELECTED: Final = b' selected="'
_REACH: Final = 6
"""Rows before and after a control among which a text is looked for: pictures, inline elements."""


def read_tags(buffer: bytes, columns: Columns) -> npt.NDArray[np.int16]:
    """Return the tag codes of a page's rows with those of such elements changed; int16[n_row]."""
    tag = columns.tag
    if not find_tagged(tag, _PLACED).size:
        return tag
    is_block = BLOCK.take(tag)
    drawn = is_block & (tag != _TEMPLATE) & flag_below(tag == _SVG, columns.end)
    controls = _find_in_line(buffer, columns, is_block)
    if not (drawn.any() or controls.size):
        return tag
    tag = tag.copy()
    tag[drawn] = OTHER
    tag[controls] = np.where(columns.tag[controls] == _TEMPLATE, UNSHOWN, OTHER)
    for row in controls[columns.tag[controls] == _SELECT].tolist():
        _show_choice(buffer, columns, row, tag)
    return freeze(tag)


def _find_in_line(buffer: bytes, columns: Columns, is_block: BoolArray) -> IntArray:
    """Find the controls that have the text of a sentence on both sides, and no blocks inside."""
    tag, end = columns.tag, columns.end
    rows = find_tagged(tag, _CONTROLS).astype(np.int32)
    inner = is_block & ~_CHOICES.take(tag)
    blocks_before = np.zeros(tag.size + 1, np.int32)
    np.cumsum(inner, out=blocks_before[1:])
    holds_no_block = blocks_before[end[rows]] == blocks_before[rows] + 1
    # Most are at the edge of a block.
    at_edge = _ENDS_LINE.take(tag.take(rows - 1)) | _ENDS_LINE.take(
        tag.take(end[rows], mode="clip")
    )
    rows = rows[(holds_no_block | (tag[rows] == _TEMPLATE)) & ~at_edge]
    candidates = [
        (row, before, after)
        for row in watch(rows.tolist())
        if (after := _find_text(buffer, columns, range(end[row], tag.size))) is not None
        and (before := _find_text(buffer, columns, range(row - 1, -1, -1))) is not None
        and _goes_on(_text_at(buffer, columns, before), _text_at(buffer, columns, after))
    ]
    if not candidates:
        return np.zeros(0, np.int32)
    table = np.array(candidates, np.int32)
    # Siblings in one block: a text in another one has another block around it.
    table[:, 0] = columns.parent[table[:, 0]]
    around = find_nearest(is_block, columns.parent, end, table.ravel()).reshape(table.shape)
    same = (around[:, 1] == around[:, 0]) & (around[:, 2] == around[:, 0])
    # Links on both sides are a menu.
    in_link = flag_within(tag == _A, end)
    same &= ~(in_link[table[:, 1]] & in_link[table[:, 2]])
    controls: IntArray = np.array([row for row, *_ in candidates], np.int32)[same]
    return controls


def _find_text(buffer: bytes, columns: Columns, rows: range) -> int | None:
    """Return the first row that shows text in a line, None if there is none near."""
    for row in rows[:_REACH]:
        code = columns.tag[row]
        if code == TEXT:
            if _text_at(buffer, columns, row):
                return row
        elif _ENDS_LINE[code]:
            return None
    return None


def _text_at(buffer: bytes, columns: Columns, row: int) -> bytes:
    return unescape_bytes(buffer[columns.open_start[row] : columns.open_stop[row]]).strip()


def _goes_on(before: bytes, after: bytes) -> bool:
    """Return whether two texts are words and what follows them, not marks between controls."""
    return _has_word(before) and (bool(CLOSING[after[0]]) or _has_word(after))


def _has_word(text: bytes) -> bool:
    return any(map(str.isalnum, text.decode()))


def _show_choice(buffer: bytes, columns: Columns, row: int, tag: npt.NDArray[np.int16]) -> None:
    """Leave, of the choices in a list in a line, the one that it shows; in place."""
    rows = np.arange(row + 1, columns.end[row])
    rows = rows[_CHOICES.take(columns.tag[rows])]
    options = rows[columns.tag[rows] == _OPTION].tolist()
    starts = [buffer[columns.open_start[option] : columns.open_stop[option]] for option in options]
    chosen = [option for option, start in zip(options, starts, strict=True) if _SELECTED in start]
    tag[rows] = OTHER
    tag[options] = UNSHOWN
    tag[(chosen or options)[:1]] = OTHER
