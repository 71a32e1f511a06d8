"""Data tables in Markdown (GFM 4.10): a line per row, equally many cells in each."""

from __future__ import annotations

from typing import Final

from thresher.writers.commonmark.inline import render_run
from thresher.writers.stream.events import Cell

__all__ = ["render_table"]

_RULES: Final = {"left": ":--", "center": ":-:", "right": "--:", "": "---"}
_MAX_FILLING: Final = 20
"""Empty cells for each cell of the table. With more, the table is less useful than its cells
alone."""


def render_table(rows: list[list[Cell]], mark: str = "") -> list[str] | None:
    """Return the lines of a table; None if it is far too ragged.

    Cells that span columns or rows are followed by empty ones. ``mark`` stands for starts of runs.
    """
    grid = _lay_out(rows, _MAX_FILLING * sum(map(len, rows)))
    if not grid or not grid[0]:
        return None if grid is None else []
    lines = [
        "| " + " | ".join(_render_cell(cell, mark) if cell else "" for cell in places) + " |"
        for places in grid
    ]
    rules = [_RULES[_align(column)] for column in zip(*grid, strict=True)]
    lines.insert(1, f"| {' | '.join(rules)} |")
    return lines


def _render_cell(cell: Cell, mark: str) -> str:
    return render_run(cell.tokens, mark=mark, in_cell=True)


def _align(column: tuple[Cell | None, ...]) -> str:
    """Return the alignment that all cells of a column have, "" for none.

    Cells without alignment are ignored, and so is the first one if others have one.
    """
    head, *body = (cell.alignment if cell else "" for cell in column)
    stated = [alignment for alignment in body if alignment] or [head]
    return stated[0] if stated.count(stated[0]) == len(stated) else ""


def _lay_out(rows: list[list[Cell]], most: int) -> list[list[Cell | None]] | None:
    """Return the cells of each row, with None for empty positions; None for over ``most``."""
    grid: list[list[Cell | None]] = []
    covered: dict[int, int] = {}
    """Column → number of rows below that a cell further up spans."""
    count = 0
    for cells in rows:
        places: list[Cell | None] = []
        below = {column: left - 1 for column, left in covered.items() if left > 1}
        for cell in cells:
            while len(places) in covered:
                places.append(None)
            if cell.n_row > 1:
                spanned = range(len(places), len(places) + cell.n_column)
                below.update(dict.fromkeys(spanned, cell.n_row - 1))
            places.append(cell)
            places.extend([None] * (cell.n_column - 1))
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


def _filled(places: list[Cell | None]) -> int:
    """Return the number of positions up to the last cell."""
    filled = len(places)
    while filled and places[filled - 1] is None:
        filled -= 1
    return filled
