"""Data tables and layout tables."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from thresher.page.parse import parse
from thresher.page.tags import CODE_OF
from thresher.writers.outline.tables import MAX_CELL_WORDS, find_data_tables

GRID: Final = "<tr><td>a<td>b<td>c" * 4
LONG: Final = "word " * (MAX_CELL_WORDS + 1)

CASES: Final[dict[str, tuple[str, list[bool]]]] = {
    "header cells": ("<table><tr><th>a<td>b</table>", [True]),
    "rows of short cells": ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", [True]),
    "one column": ("<table><tr><th>a<tr><td>b</table>", [False]),
    "one column under a header": ("<table><tr><th>a<tr><td>b<tr><td>c</table>", [True]),
    "one column with a heading": ("<table><tr><th>a<tr><td><h2>b</h2><tr><td>c</table>", [False]),
    "one column that holds anything": ("<table><tr><td>a<td><tr><td>b<td></table>", [False]),
    "columns in different rows": ("<table><tr><td>a<td><tr><td><td>b</table>", [True]),
    "one row": ("<table><tr><td>a<td>b</table>", [False]),
    "one row with a caption": ("<table><caption>c</caption><tr><td>a<td>b</table>", [True]),
    "one row of short cells": ("<table><tr><td>a<td>1<td>b</table>", [True]),
    "one row with an empty cell": ("<table><tr><td>a<td>1<td></table>", [False]),
    "one row with a link": ("<table><tr><td>a<td>1<td><a href=/>b</a></table>", [False]),
    "one row with a picture": ("<table><tr><td>a<td>1<td>b<img src=i></table>", [False]),
    "one row with a sentence": ("<table><tr><td>a<td>1<td>b c d e f</table>", [False]),
    "a long cell": (f"<table><tr><td>a<td>{LONG}<tr><td>c<td>d</table>", [False]),
    "a long cell under headers": (f"<table><tr><th>a<td>{LONG}</table>", [True]),
    "a long cell in a grid": (f"<table>{GRID}<tr><td>a<td>b<td>{LONG}</table>", [True]),
    "many paragraphs": ("<table><tr><td>a<td><p>1<p>2<p>3<p>4<tr><td>c<td>d</table>", [False]),
    "a heading": ("<table><tr><td>a<td><h2>b</h2><tr><td>c<td>d</table>", [False]),
    "a rule": ("<table><tr><td>a<td>b<hr>e<tr><td>c<td>d</table>", [False]),
    "a role": (f"<table role=Presentation>{GRID}</table>", [False]),
    "a table inside": (f"<table><tr><th>a<td><table>{GRID}</table></table>", [False, True]),
    "a small table inside": (
        "<table><tr><th>a<td>b<tr><th>c<td><table><tr><td>1<td>2</table></table>",
        [True, True],
    ),
    "a small table inside, without headers": (
        "<table><tr><td>a<td>b<tr><td>c<td><table><tr><td>1<td>2</table></table>",
        [False, False],
    ),
    "a long table inside": (
        f"<table><tr><th>a<td>b<tr><th>c<td><table><tr><td>1<td>{LONG}</table></table>",
        [False, False],
    ),
    "tables in a table in a table": (
        "<table><tr><th>a<td>b<tr><th>c<td>"
        "<table><tr><th>d<td>e<td><table><tr><td>1<td>2</table></table></table>",
        [True, True, True],
    ),
    "text beside the cells": ("<table><tr><th>a<td>b</tr><template>c</template></table>", [False]),
    "only a caption": ("<table><caption>a</table>", [False]),
    "nothing": ("<table></table>", [False]),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_table_is_classified_when_it_holds_data(html: str, expected: list[bool]) -> None:
    """Each case must be classified as its table says."""
    page = parse(f"<body>{html}")
    holds = np.diff(page.leaf_offset[np.stack((np.arange(len(page)), page.end))], axis=0)[0] > 0
    runs = page.leaves[page.blocks.start[:-1]]
    found = find_data_tables(page, page.tag, holds, runs)
    assert expected == found[page.tag == CODE_OF["table"]].tolist()
