"""The empty table remover."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.algorithms.crunch.params import Params
from thresher.algorithms.crunch.tables import find_empty_tables
from thresher.page.parse import parse

# The outer table has 3 characters of its own, the inner 4. At 5 the inner is empty, and then so is
# the outer: 3 < 5. Counted together they would have 7.
NESTED = "<table id=1><td>abc<table id=2><td>defg</table></table>"


@pytest.mark.parametrize(
    ("html", "params", "empty"),
    [
        (NESTED, Params(), []),
        (NESTED, Params(min_table_chars=4), []),
        (NESTED, Params(min_table_chars=5), ["1", "2"]),
        (NESTED, Params(min_table_chars=5, remove_empty_tables=False), []),
        ("<table id=1><td> <td>\n</table>", Params(), ["1"]),
        ("<table id=1><td> <td>\n</table>", Params(min_table_chars=0), []),
        ("<table id=1><td><input></table>", Params(), []),
        ("<table id=1><td><input></table>", Params(substance_tags=("img",)), ["1"]),
        ("<table id=1><td><table id=2><td><img></table></table>", Params(), []),
        ("<table id=1><td>a<table id=2></table></table>", Params(), ["2"]),
    ],
)
def test_tables_without_substance_found_when_judged_from_inside(
    html: str, params: Params, empty: list[str]
) -> None:
    """A table needs a substance tag or enough characters, without those of empty inner tables."""
    page = parse(html)
    found = find_empty_tables(page, params, np.zeros(len(page), np.bool_))
    assert empty == [page.attr(row, "id") for row in found.nonzero()[0].tolist()]


def test_deleted_elements_do_not_count_when_tables_are_judged() -> None:
    """Tables are judged by what the other filters have left."""
    page = parse("<table><td><a href=u>x</a></table>")
    gone = page.within(page.tagged(["a"]))
    assert 1 == find_empty_tables(page, Params(), gone).sum()
