"""Links from notes back to references."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.analysis.footnotes import find_footnotes
from thresher.analysis.links import find_inner_links
from thresher.page.parse import parse

REFERENCE = "<p>x <sup id=r><a href=#n>1</a></sup> y</p>"


@pytest.mark.parametrize(
    ("note", "back", "ornaments", "arrows"),
    [
        ("a b <a href=#r>↩</a>", 1, ["↩"], []),
        ("a b <a href=#z>↩</a>", 0, [], ["↩"]),
        ("a b <a href=#z>c</a>", 0, [], []),
        ("<a href=#r>1</a><b>.</b> <i>a b</i>", 1, ["1", "."], []),
        ("<b>1.</b> <i>a b</i>", 0, ["1."], []),
        ("<b>^</b> <a href=#r>1</a> <i>a b</i>", 1, ["^", "1"], []),
    ],
)
def test_ornaments_are_what_says_nothing_of_the_note(
    note: str, back: int, ornaments: list[str], arrows: list[str]
) -> None:
    """Back links, repeated marks and arrows without a target are separated from the text."""
    page = parse(f"<body>{REFERENCE}<p id=n>{note}</p>")
    keep = np.ones(page.leaves.size, np.bool_)
    found = find_footnotes(page, keep, find_inner_links(page, keep))
    assert 1 == len(found.notes)
    assert back == len(found.back_links)
    assert ornaments == [page.leaf_text(leaf).strip() for leaf in found.ornaments]
    assert arrows == [page.leaf_text(leaf).strip() for leaf in found.arrows]
