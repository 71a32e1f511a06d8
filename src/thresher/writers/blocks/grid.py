"""Adaptation of data tables to Markdown: one line per cell, equally many cells in each row."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Final

from turbohtml import Element, Node, Text

__all__ = ["adapt_table", "replace_alignment_marks"]

_BLOCKS: Final = "p, h1, h2, h3, h4, h5, h6, li, dt, dd, pre, figcaption, summary"
"""Elements that are on lines of their own in a cell."""
_AROUND: Final = f"{_BLOCKS}, ul, ol, dl, figure, details, blockquote"
_MARK_OF: Final = {"left": "\U0001fffe", "center": "\U0001ffff", "right": "\U0002fffe"}
"""Noncharacters that mark the alignment of a column after its first cell: the renderer of turbohtml
1.15 writes none."""
_ALIGNMENT_RULES: Final = {"\U0001fffe": ":--", "\U0001ffff": ":-:", "\U0002fffe": "--:"}
_MARKED: Final = re.compile(f" ?([{''.join(_ALIGNMENT_RULES)}])")
_RULE: Final = " --- "
"""A cell of a table's delimiter row."""
_CELL: Final = re.compile(r"(?<!\\)(?:\\\\)*\|")
_MAX_SPAN: Final = 1000
"""Columns; the maximum `colspan` (HTML Living Standard, 4.9.11)."""
_MAX_FILLING: Final = 20
"""Empty cells for each cell of the table. With more, the table is less useful than its cells
alone."""


def adapt_table(table: Element) -> None:
    """Give a table a shape that Markdown supports, in place.

    Cells that span columns or rows are followed by empty ones. Blocks in cells become lines. A
    table that is far too ragged for that is dissolved into a paragraph for each cell.
    """
    rows = [_cells_of(row) for row in table.iter_elements("tr")]
    for cells in rows:
        for cell in cells:
            _flatten_cell(cell)
    most = _MAX_FILLING * sum(map(len, rows))
    grid = _lay_out(rows, most)
    if grid is None:
        for cell in (cell for cells in rows for cell in cells):
            cell.tag = "p"
        table.strip_tags("thead, tbody, tfoot, tr")
        table.unwrap()
        return
    for cells, places in zip(rows, grid, strict=True):
        _fill_row(cells, places)
    _mark_alignment(rows)


def replace_alignment_marks(markdown: str) -> str:
    """Replace the alignment marks in the delimiter rows of rendered Markdown."""
    if not any(mark in markdown for mark in _ALIGNMENT_RULES):
        return markdown
    lines = markdown.split("\n")
    for place, line in enumerate(lines):
        marks = [_MARKED.search(cell) for cell in _CELL.split(line)] if _MARKED.search(line) else []
        n_column = _count_rules(lines[place + 1]) if marks and place + 1 < len(lines) else 0
        if n_column:
            rules = [
                _ALIGNMENT_RULES[mark[1]] if mark else "---" for mark in marks[-n_column - 1 : -1]
            ]
            before = lines[place + 1].removesuffix(f"{_RULE}|" * n_column)
            lines[place + 1] = f"{before} {' | '.join(rules)} |"
        if marks:
            lines[place] = _MARKED.sub("", line)
    return "\n".join(lines)


def _count_rules(line: str) -> int:
    """Count the columns of a table's delimiter row; 0 for any other line."""
    *cells, behind = line.split("|")
    if behind:
        return 0
    return sum(1 for _ in takewhile(_RULE.__eq__, reversed(cells[1:])))


def _mark_alignment(rows: list[list[Element]]) -> None:
    """Mark the columns whose cells all have the same alignment, in place.

    Cells without alignment are ignored, and so is the first row if others have one.
    """
    parents = [cells[0].parent for cells in rows if cells]
    rows = [_cells_of(parent) for parent in parents if isinstance(parent, Element)]
    if not any("align" in cell.attrs or "style" in cell.attrs for row in rows for cell in row):
        return
    head, *body = rows
    for column, cell in enumerate(head):
        places = [_alignment(row[column]) for row in body if column < len(row)]
        places = [place for place in places if place] or [_alignment(cell)]
        if places[0] in _MARK_OF and places.count(places[0]) == len(places):
            cell.append(Text(f" {_MARK_OF[places[0]]}"))


def _alignment(cell: Element) -> str:
    style = cell.attr("style") or ""
    return style.removeprefix("text-align: ") or cell.attr("align") or ""


def _cells_of(row: Element) -> list[Element]:
    return [cell for cell in row.children if isinstance(cell, Element)]


def _lay_out(rows: list[list[Element]], most: int) -> list[list[Element | None]] | None:
    """Return the cells of each row, with None for empty positions; None for over ``most``."""
    grid: list[list[Element | None]] = []
    covered: dict[int, int] = {}
    """Column → number of rows below that a cell further up spans."""
    count = 0
    for cells in rows:
        places: list[Element | None] = []
        below = {column: left - 1 for column, left in covered.items() if left > 1}
        for cell in cells:
            while len(places) in covered:
                places.append(None)
            columns, down = _span(cell, "colspan"), _span(cell, "rowspan")
            if down > 1:
                below.update(dict.fromkeys(range(len(places), len(places) + columns), down - 1))
            places.append(cell)
            places.extend([None] * (columns - 1))
            if count + len(places) + len(below) > most:
                return None
        covered = below
        count += len(places) + len(below)
        grid.append(places)
    # An empty last column is a span too wide.
    width = max((_filled(places) for places in grid), default=0)
    if width * len(grid) > most:
        return None
    return [places[:width] + [None] * (width - len(places)) for places in grid]


def _filled(places: list[Element | None]) -> int:
    """Return the number of positions up to the last cell."""
    filled = len(places)
    while filled and places[filled - 1] is None:
        filled -= 1
    return filled


def _span(cell: Element, name: str) -> int:
    value = cell.attr(name) or ""
    if name in cell.attrs:
        del cell.attrs[name]
    digits = value.strip()
    return min(max(int(digits), 1), _MAX_SPAN) if digits.isascii() and digits.isdigit() else 1


def _fill_row(cells: list[Element], places: list[Element | None]) -> None:
    """Add an empty cell to the row for each empty position."""
    row = cells[0].parent if cells else None
    if not isinstance(row, Element):
        return
    waiting: list[Node] = []
    for place in places:
        if place is None:
            waiting.append(Element("td"))
        else:
            place.insert_before(*waiting)
            waiting = []
    row.extend(waiting)


def _flatten_cell(cell: Element) -> None:
    """Make each block in a cell a line, in place."""
    blocks = cell.select(_BLOCKS)
    if not blocks:
        return
    for block in blocks:
        block.insert_before(Element("br"))
        block.insert_after(Element("br"))
        if block.tag == "li":
            block.insert(0, Text("- "))
    cell.strip_tags(_AROUND)
    # Line breaks only between lines.
    after_line, pending = False, None
    for child in list(cell.children):
        if isinstance(child, Element) and child.tag == "br":
            child.extract()
            pending = child if after_line else None
        elif isinstance(child, Element) or (isinstance(child, Text) and child.data.strip()):
            if pending is not None:
                child.insert_before(pending)
            after_line, pending = True, None
