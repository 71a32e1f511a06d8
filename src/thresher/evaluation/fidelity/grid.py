"""A table as its rows of cells, with spanned positions as empty cells.

GFM has no spans: a table with spans equals one whose cells were split, with the text in the first.
So HTML and Markdown of one table compare equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from thresher.page import Page
from thresher.page.tags import CODE_OF, flags_of
from thresher.support.quoting import read_whole_number

__all__ = ["MAX_CELLS", "Grid", "read_grid"]

Grid = tuple[tuple[str, ...], ...]
"""Rows of texts, all of the same length."""

MAX_CELLS: Final = 600
"""Maximum cells of a table that are compared; the tree distance is quadratic in their number."""
_MAX_SPAN: Final = 50
"""Maximum columns or rows of one cell; some pages state 1,000."""
_CELL: Final = flags_of("td th")
_TR: Final = CODE_OF["tr"]


def read_grid(page: Page, table: int, text_of: Callable[[int], str]) -> Grid:
    """Read a `table` element; ``text_of`` gives the text of a row of the page."""
    cells: dict[tuple[int, int], str] = {}
    n_row = n_column = 0
    line = -1
    for row in range(table + 1, int(page.end[table])):
        if page.tag[row] == _TR:
            line, column = line + 1, 0
        elif _CELL[page.tag[row]] and line >= 0:
            while (line, column) in cells:
                column += 1
            width, height = (_span(page.attr(row, name)) for name in ("colspan", "rowspan"))
            for down in range(height):
                for right in range(width):
                    cells.setdefault((line + down, column + right), "")
            cells[line, column] = text_of(row)
            n_row, n_column = max(n_row, line + 1), max(n_column, column + width)
    rows = [tuple(cells.get((y, x), "") for x in range(n_column)) for y in range(n_row)]
    filled = [row for row in rows if any(row)]
    used = [x for x in range(n_column) if any(row[x] for row in filled)]
    grid = tuple(tuple(row[x] for x in used) for row in filled)
    return grid[: max(MAX_CELLS // len(used), 2)] if used else ()


def _span(text: str | None) -> int:
    return min(read_whole_number(text or "") or 1, _MAX_SPAN)
