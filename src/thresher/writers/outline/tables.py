"""Detection of data tables, as opposed to layout tables.

Before style sheets, pages were laid out with tables; emails and old sites still are. Written as
tables their columns would be unreadable; their cells are treated as ordinary blocks.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import CELLS, CODE_OF, HEADINGS, REPLACED, flags_of
from thresher.support.late import compile_late
from thresher.support.quoting import read_whole_number
from thresher.writers.outline.headings import TagArray
from thresher.writers.outline.runs import find_signature_tables

_CAPTION, _DD, _DIV, _TABLE, _TD, _TH, _TR = (
    CODE_OF[name] for name in "caption dd div table td th tr".split()
)
_Rows = npt.NDArray[np.integer]
_HOLDS_TEXT: Final = CELLS | flags_of("caption table")
_BLOCKY: Final = flags_of(
    "blockquote details dl figure h1 h2 h3 h4 h5 h6 hr ol pre ul dir menu listing"
)
"""Elements found in the cells of layout tables and seldom in those of data tables."""
_LAYOUT_ROLES: Final = ("presentation", "none")
"""ARIA roles of a table that is not semantic (WAI-ARIA 1.2, 5.3.3)."""
_NUMBERED_CODE: Final = re.compile(
    r"(?<![\w-])(?:highlighttable|codehilitetable|lntable|rouge-table)(?![\w-])"
)
"""Classes of tables of code and the numbers of its lines: Pygments, Hugo, Rouge."""
# Set by eye on the 349 tables of 700 pages of the wcxb training corpus, not measured.
_MAX_CELL_RUNS: Final = 3
MAX_CELL_WORDS: Final = 60
"""Paragraphs and words; a larger cell, in a table that is not regular, is a column of the
layout."""
_GRID_ROWS: Final = 4
_GRID_COLUMNS: Final = 3
_GRID_FILLED: Final = 0.8
"""Minimum rows, columns and share of non-empty cells of a regular table."""
_BOX_CELLS: Final = 3
"""Cells of a note of DocBook: its icon, which spans the rows of the other two, name and text."""
_LIST_ROWS: Final = 3
"""Minimum rows of a data table of one column, with its header."""
_TITLE_ROWS: Final = 2
"""Rows of a title and of names, below which there are others."""
_DIGIT: Final = re.compile(r"\d")
_LINE_COLUMNS: Final = 3
_MAX_LINE_WORDS: Final = 4
"""Minimum cells and maximum words of each in a data table of one row without a header."""


def find_data_tables(page: Page, tag: TagArray, holds: BoolArray, run_row: IntArray) -> BoolArray:
    """Flag the rows of data tables; bool[n_row].

    ``tag`` is what each row is written as, ``holds`` flags rows with kept leaves inside,
    ``run_row`` is the first row of each run of kept leaves. A data table has at least two columns,
    and no table inside, unless it has headers or a caption, and as many cells without a table as
    cells with one, all short; then those inside are data, too. In addition it is regular,
    that is, has header cells or is a well-filled grid, or it has several rows of short cells, one
    of them with something in several, or a caption. A single column counts if it has header cells
    and several rows, all short; a single row without header cells if all of its several cells hold
    a few words, no links and no pictures.
    """
    is_table: BoolArray = (tag == _TABLE) & holds
    if not is_table.any():
        return is_table
    data, table = is_table.copy(), page.nearest(is_table)

    def drop(rows: npt.NDArray[np.integer]) -> None:
        """Rule out the tables around the rows; −1 is outside any."""
        around = table[rows]
        data[around[around >= 0]] = False

    roles = page.attributes.values("role")
    data[[row for row, role in roles.items() if role.strip().lower() in _LAYOUT_ROLES]] = False
    classes = {row: page.attr(row, "class") or "" for row in data.nonzero()[0].tolist()}
    data[[row for row in classes if _NUMBERED_CODE.search(classes[row])]] = False
    drop(find_signature_tables(page))
    text_holder = page.nearest(_HOLDS_TEXT[tag] & (table >= 0))[run_row]
    text_holder = text_holder[text_holder >= 0]
    drop(text_holder[tag[text_holder] == _TABLE])

    every_cell = np.flatnonzero(CELLS[tag] & (table >= 0))
    cells = every_cell[holds[every_cell]]
    n_row, n_column = np.zeros(len(page), np.int64), np.zeros(len(page), np.int64)
    rows = _list_distinct(page.parent[cells])
    np.add.at(n_row, table[rows], 1)
    # Columns are counted by the positions of non-empty cells in their rows.
    place = np.searchsorted(every_cell, cells) - np.searchsorted(every_cell, page.parent[cells])
    columns = _list_distinct(table[cells].astype(np.int64) * len(page) + place)
    np.add.at(n_column, columns // len(page), 1)
    n_cell = np.bincount(table[cells], minlength=len(page))
    words = page.subtree_words
    regular = (n_row >= _GRID_ROWS) & (n_column >= _GRID_COLUMNS)
    regular &= n_cell >= _GRID_FILLED * n_row * n_column
    headed, captioned = np.zeros(len(page), np.bool_), np.zeros(len(page), np.bool_)
    headed[table[cells[tag[cells] == _TH]]] = True
    regular |= headed
    icons = [row for row in page.attributes.values("rowspan") if holds[row] and not words[row]]
    drop(np.array([row for row in icons if 0 < n_cell[table[row]] <= _BOX_CELLS], np.intp))
    captions = np.flatnonzero((page.tag == _CAPTION) & holds & (table >= 0))
    captioned[table[captions]] = True
    listed = (n_column == 1) & regular & (n_row >= _LIST_ROWS)
    several = ((n_row > 1) & _flag_related(page, table, cells)) | regular | captioned
    if (data & (n_row == 1)).any():
        several |= _flag_lines(page, tag, table, every_cell, holds)
    np.logical_and(data, listed | ((n_column > 1) & several), out=data)
    regular &= ~listed

    blocky = np.flatnonzero(_BLOCKY[page.tag] & (holds | (page.tag == CODE_OF["hr"])))
    blocky = blocky[(table[blocky] >= 0) & ~_name_columns(page, table, rows, blocky)]
    drop(blocky[~regular[table[blocky]]])
    runs = np.bincount(text_holder, minlength=len(page))
    long = cells[(runs[cells] > _MAX_CELL_RUNS) | (words[cells] > MAX_CELL_WORDS)]
    drop(long[~regular[table[long]]])
    around = page.parent[is_table]
    if (table[around] >= 0).any():
        _settle_nested(page, is_table, data, table, cells[tag[cells] != _TH], headed | captioned)
    return data


def _name_columns(page: Page, table: IntArray, lines: _Rows, elements: _Rows) -> BoolArray:
    """Return which of some elements are headings in cells of a first row: over it, or several."""
    cells, words = page.parent[elements], page.subtree_words
    names: BoolArray = HEADINGS[page.tag[elements]] & CELLS[page.tag[cells]]
    if not names.any():
        return names  # as in most tables
    _, first = np.unique(table[lines], return_index=True)
    names &= np.isin(page.parent[cells], lines[first]) & (words[cells] == words[elements])
    several: BoolArray = np.bincount(page.parent[cells[names]], minlength=len(page)) > 1
    spanning = np.isin(cells, page.attributes.rows_named("colspan"))
    names &= several[page.parent[cells]] | spanning
    return names


def _flag_related(page: Page, table: IntArray, cells: npt.NDArray[np.integer]) -> BoolArray:
    """Flag the tables with several of some cells in a row: others relate nothing; bool[n_row]."""
    n_cell = np.bincount(page.parent[cells], minlength=len(page))
    return page.flag(table[(n_cell > 1).nonzero()[0]])


def find_empty_columns(
    page: Page, tag: TagArray, holds: BoolArray, in_data: BoolArray, table: IntArray
) -> npt.NDArray[np.integer]:
    """Return the cells of the columns in which no row has anything; of tables without spans.

    Cells that span all columns of a table alone do not count. ``table`` is the innermost table
    around each row; int32[n_row].
    """
    cells = np.flatnonzero(CELLS[tag] & in_data)
    rows = page.parent[cells]
    cells = cells[np.argsort(rows, kind="stable")]
    rows = page.parent[cells]
    first = rows.searchsorted(rows)
    column = np.arange(cells.size) - first
    around = table[cells].astype(np.int64)
    column += around * len(page)
    spanning = page.attributes.rows_named("colspan")
    is_alone = np.isin(cells, spanning) & (rows.searchsorted(rows, "right") - first == 1)
    filled = _list_distinct(np.append(column[holds[cells] & ~is_alone], -1))
    place = filled.searchsorted(column)
    is_empty = ~is_alone & (filled.take(place, mode="clip") != column)
    if is_empty.any():
        spanning = np.setdiff1d(spanning, cells[is_alone])
        spanning = np.append(spanning, page.attributes.rows_named("rowspan"))
        spans = page.flag(table[spanning])
        is_empty &= ~spans[around]
    empty_cells: npt.NDArray[np.integer] = cells[is_empty]
    return empty_cells


def read_titles(page: Page, tag: TagArray, holds: BoolArray, in_data: BoolArray) -> TagArray:
    """Return the tag that each row is written as, with titles of tables as their captions.

    A title is a first row of one cell over all columns, above a row of their names, or a heading in
    such a cell. ``in_data`` flags the rows of data tables; bool[n_row].
    """
    spanning = page.attributes.rows_named("colspan")
    spanning = spanning[(in_data & holds)[spanning] & CELLS[tag[spanning]]]
    if not spanning.size:
        return tag  # as most
    tables = page.nearest(tag == _TABLE)
    captioned = set(tables[(tag == _CAPTION).nonzero()[0]].tolist())
    spanned = set(page.parent[spanning].tolist())
    lines = ((tag == _TR) & in_data & holds).nonzero()[0]
    lines = lines[np.argsort(tables[lines], kind="stable")]
    starts = np.diff(tables[lines], prepend=-1).nonzero()[0].tolist()
    written = tag
    for first, stop in watch(pairwise((*starts, lines.size))):
        title, table = int(lines[first]), int(tables[lines[first]])
        if title not in spanned or table in captioned or stop - first <= _TITLE_ROWS:
            continue
        if _is_title(page, tag, title, int(lines[first + 1]), int(page.end[table])):
            written = tag.copy() if written is tag else written
            written[title] = _CAPTION
            if page.parent[title] != table:
                written[page.parent[title]] = _DIV
    return written


def _is_title(page: Page, tag: TagArray, title: int, line: int, end: int) -> bool:
    """Return whether a row is a title above names of columns, in a table that ends at ``end``.

    Names are header cells, or short and without digits, which the rows below have.
    """
    cell, *others = _find_cells(page, tag, title)
    names = _find_cells(page, tag, line)
    width = read_whole_number(page.attr(cell, "colspan") or "") or 1
    if others or not 1 < len(names) <= width:
        return False
    if HEADINGS[page.tag[cell : page.end[cell]]].any():
        return True
    texts = " ".join(map(page.text_of, names))
    below = page.text_offset[[page.end[line], end]].tolist()
    is_above = _DIGIT.search(page.text, *below) and not _DIGIT.search(texts)
    is_short = all(page.subtree_words[name] <= _MAX_LINE_WORDS for name in names)
    is_plain = width >= _LINE_COLUMNS and is_short and is_above
    return is_plain or all(tag[name] == _TH for name in names)


def _find_cells(page: Page, tag: TagArray, line: int) -> list[int]:
    """Return the cells of a row of a table."""
    inside = np.arange(line + 1, int(page.end[line]))
    cells: list[int] = inside[(page.parent[inside] == line) & CELLS[tag[inside]]].tolist()
    return cells


def _settle_nested(  # noqa: PLR0917
    page: Page,
    is_table: BoolArray,
    data: BoolArray,
    table: IntArray,
    cells: IntArray,
    titled: BoolArray,
) -> None:
    """Rule out the tables around others, in place, or include the tables inside.

    ``titled`` flags the tables with header cells or a caption.
    """
    holding = cells[page.subtree_sums(is_table)[cells] > 0]
    n_holding = np.bincount(table[holding], minlength=len(page))
    n_cell = np.bincount(table[cells], minlength=len(page))
    stays = data & titled & (2 * n_holding <= n_cell)
    stays[table[holding[page.subtree_words[holding] > MAX_CELL_WORDS]]] = False
    around = table[page.parent[is_table]]
    around = around[around >= 0]
    data[around[~stays[around]]] = False
    outer = np.zeros(len(page), np.bool_)
    outer[around] = data[around]
    data |= is_table & page.below(outer)


def _flag_lines(
    page: Page,
    tag: TagArray,
    table: IntArray,
    cells: npt.NDArray[np.integer],
    holds: BoolArray,
) -> BoolArray:
    """Flag tables of one row whose cells are all filled and short, of plain text; bool[n_row].

    In a description list, they may have any: facts of what is described.
    """
    words = page.subtree_words[cells]
    linked = page.link_words_before[page.end[cells]] > page.link_words_before[cells]
    pictured = page.subtree_sums(REPLACED[page.tag])[cells] > 0
    plain = holds[cells] & (words > 0) & (words <= _MAX_LINE_WORDS) & ~linked & ~pictured
    n_cell = np.bincount(table[cells], minlength=len(page))
    n_plain = np.bincount(table[cells[plain]], minlength=len(page))
    rows = np.flatnonzero((tag == _TR) & (table >= 0))
    n_row = np.bincount(table[rows], minlength=len(page))
    is_plain = (n_cell >= _LINE_COLUMNS) & (n_plain == n_cell)
    line: BoolArray = (n_row == 1) & (is_plain | page.below(tag == _DD))
    return line


def _list_distinct(numbers: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """Return sorted distinct numbers like `np.unique`, which would import `numpy.ma`."""
    ordered = np.sort(numbers)
    is_first = np.ones(ordered.size, np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    return ordered[is_first]


# -- tables that are declared ------------------------------------------------------------------

_TAG_OF_ROLE: Final = {
    **dict.fromkeys(("grid", "table", "treegrid"), _TABLE),
    "row": _TR,
    **dict.fromkeys(("cell", "gridcell"), _TD),
    **dict.fromkeys(("columnheader", "rowheader"), _TH),
}
"""Roles of WAI-ARIA 1.2 → the tags that mean the same."""
_TAG_OF_DISPLAY: Final = {"table": _TABLE, "table-row": _TR, "table-cell": _TD}
_ROLE: Final = rb"cell|grid|header|row|table"
_DISPLAY: Final = compile_late(r"display(?<![\w-]display)\s*:\s*(table(?:-row|-cell)?)(?![\w-])")
_CAN_BE: Final = flags_of("address article aside div header p section span")
"""Elements that can be a part of such a table."""


def declare_tables(page: Page, tag: TagArray, holds: BoolArray) -> TagArray:
    """Return the tag that each row is written as, with declared tables, rows and cells as such.

    Rows are in a table, and cells directly in a row. ``holds`` flags rows that are or hold a kept
    leaf; bool[n_row].
    """
    declared = _find_by_role(page) | _find_by_display(page)
    rows = np.array([row for row in declared if holds[row] or declared[row] in (_TD, _TH)], np.intp)
    rows = np.sort(rows[_CAN_BE[page.tag[rows]]])
    if not rows.size:
        return tag
    written = np.zeros(len(page), np.int16)
    written[rows] = [declared[row] for row in rows.tolist()]
    parent = page.parent[rows]
    around = page.nearest(written != 0)[parent]
    written[rows[(written[rows] == _TR) & (written[around] != _TABLE)]] = 0
    written[rows[CELLS[written[rows]] & (written[parent] != _TR)]] = 0
    in_use = page.subtree_sums(CELLS[written]) > 0
    return np.where((written != 0) & (in_use | CELLS[written]), written, tag)


def _find_by_role(page: Page) -> dict[int, int]:
    attributes = page.attributes
    roles = attributes.values_of(attributes.matching("role", _ROLE))
    tags = {row: _TAG_OF_ROLE.get(role.strip().lower(), 0) for row, role in roles.items()}
    return tags if _TABLE in tags.values() else {}


def _find_by_display(page: Page) -> dict[int, int]:
    attributes = page.attributes
    styles = attributes.values_of(attributes.matching("style", rb"display\s*:\s*table"))
    matches = {row: _DISPLAY.search(style.lower()) for row, style in styles.items()}
    tags = {row: _TAG_OF_DISPLAY[match[1]] for row, match in matches.items() if match}
    return tags if _TR in tags.values() else {}
