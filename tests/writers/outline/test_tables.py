"""Data tables and layout tables."""

from __future__ import annotations

from typing import Final

import numpy as np

from tests.helpers.cases import cases
from tests.helpers.fixture_pages import document_keeping
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF
from thresher.writers.outline.tables import find_data_tables


@cases(__file__, "tables")
def test_table_is_classified_when_it_holds_data(html: str, expected: list[bool]) -> None:
    """Each case must be classified as its table says."""
    page = parse(f"<body>{html}")
    holds = np.diff(page.leaf_offset[np.stack((np.arange(len(page)), page.end))], axis=0)[0] > 0
    runs = page.leaves[page.blocks.start[:-1]]
    found = find_data_tables(page, page.tag, holds, runs)
    assert expected == found[page.tag == CODE_OF["table"]].tolist()


ROLES: Final = (
    "<div role=table><div role=rowgroup><div role=row><p role=columnheader>a</p>"
    "<p role=columnheader>b</p></div></div><div role=row><p role=cell>1</p>"
    "<p role=cell>2</p></div></div>"
)


def test_declared_table_is_a_table_in_all_formats() -> None:
    """HTML must have its elements, plain text its tabs."""
    document = document_keeping(ROLES)
    assert "<th>a</th>\n<th>b</th>" in document.html
    assert "a\tb\n1\t2" == document.text
