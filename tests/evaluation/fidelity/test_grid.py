"""A table is the same grid however its cells span."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.evaluation.fidelity.structure import MAX_CELLS, Grid, read_grid
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF


def grid_of(html: str) -> Grid:
    page = parse(html)
    table = int(np.flatnonzero(page.tag == CODE_OF["table"])[0])
    return read_grid(page, table, lambda row: page.text_of(row).strip())


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("<tr><th colspan=2>a<tr><td>b<td>c", (("a", ""), ("b", "c"))),
        ("<tr><td rowspan=2>a<td>b<tr><td>c", (("a", "b"), ("", "c"))),
        ("<tr><td>a<td>b<tr><td>c", (("a", "b"), ("c", ""))),
        ("<tr><td>a<td><td>b<tr><td>c<td><td>d<tr><td>", (("a", "b"), ("c", "d"))),
        ("<tr><td colspan=x>a<td colspan=0>b", (("a", "b"),)),
        ("<tr><td>", ()),
        ("", ()),
    ],
)
def test_spans_are_expanded(rows: str, expected: Grid) -> None:
    """A cell is where it begins; rows and columns without text are left out."""
    assert expected == grid_of(f"<table>{rows}</table>")


def test_a_table_is_cut_when_it_is_long() -> None:
    """The number of compared cells is limited."""
    grid = grid_of(f"<table>{'<tr><td>a<td>b' * MAX_CELLS}</table>")
    assert MAX_CELLS == sum(map(len, grid))
