"""Data tables and layout tables."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from tests.helpers.cases import cases
from tests.helpers.fixture_pages import document_keeping
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF
from thresher.writers.outline.tables import MAX_CELL_WORDS, find_data_tables

GRID: Final = "<tr><td>a<td>b<td>c" * 4
LONG: Final = "word " * (MAX_CELL_WORDS + 1)


@cases(__file__, "tables")
def test_table_is_classified_when_it_holds_data(html: str, expected: list[bool]) -> None:
    """Each case must be classified as its table says."""
    page = parse(f"<body>{html}")
    holds = np.diff(page.leaf_offset[np.stack((np.arange(len(page)), page.end))], axis=0)[0] > 0
    runs = page.leaves[page.blocks.start[:-1]]
    found = find_data_tables(page, page.tag, holds, runs)
    assert expected == found[page.tag == CODE_OF["table"]].tolist()


def _style(display: str) -> str:
    return f"<div style='margin:0;display: {display}'>"


TABLE: Final = "| a | b |\n| --- | --- |\n| 1 | 2 |"
ROLES: Final = (
    "<div role=table><div role=rowgroup><div role=row><p role=columnheader>a</p>"
    "<p role=columnheader>b</p></div></div><div role=row><p role=cell>1</p>"
    "<p role=cell>2</p></div></div>"
)
STYLED_ROW: Final = _style("table-row")
STYLED_CELL: Final = _style("table-cell")
DECLARED: Final = {
    "roles": (ROLES, TABLE),
    "a grid": (ROLES.replace("=table", "=grid").replace("=cell", "=gridcell"), TABLE),
    "styles": (
        f"{_style('table')}{STYLED_ROW}{STYLED_CELL}a</div>{STYLED_CELL}b</div></div>{STYLED_ROW}"
        f"{STYLED_CELL}1</div>{STYLED_CELL}2</div></div></div>",
        TABLE,
    ),
    "an empty cell": (ROLES.replace(">1<", "><"), TABLE.replace("1", "")),
    "a span": (
        ROLES.replace("<p role=cell>1</p><p ", "<p aria-colspan=2 "),
        "| a | b |\n| --- | --- |\n| 2 |  |",
    ),
    "a table in a cell": (
        ROLES.replace(">1<", "><table><tr><td>x<td>y</table><"),
        TABLE.replace("1", "x y"),
    ),
    "columns of a layout": (
        f"{_style('table')}{STYLED_ROW}{STYLED_CELL}a</div>{STYLED_CELL}b</div></div></div>",
        "a\n\nb",
    ),
    "a box that is centred": (f"{_style('table')}{STYLED_CELL}a</div></div>", "a"),
    "cells without rows": ("<div role=table><p role=cell>a</p><p role=cell>b</p></div>", "a\n\nb"),
    "a row without a table": ("<div role=row><p role=cell>a</p></div>", "a"),
    "a table without rows": ("<div role=table>a</div>", "a"),
}


@pytest.mark.parametrize(("html", "expected"), DECLARED.values(), ids=list(DECLARED))
def test_table_is_one_where_the_page_declares_it(html: str, expected: str) -> None:
    """Each case must be written as its table says."""
    assert expected == document_keeping(html).markdown


def test_declared_table_is_a_table_in_all_formats() -> None:
    """HTML must have its elements, plain text its tabs."""
    document = document_keeping(ROLES)
    assert "<th>a</th>\n<th>b</th>" in document.html
    assert "a\tb\n1\t2" == document.text
