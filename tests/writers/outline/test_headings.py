"""Headings by tag and by role."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.page.parse import parse
from thresher.page.tags import NAMES
from thresher.writers.outline.headings import HEADINGS, read_headings


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>a</h1><h4>b</h4><h6>c</h6>", ["h1", "h4", "h6"]),
        ("<h3>a</h3><h2>b</h2>", ["h3", "h2"]),
        ("<div role=heading aria-level=9>a</div>", ["h6"]),
        ("<div role=heading>a</div>", ["h2"]),
        ("<div role=heading><h3>a</h3></div>", ["h3"]),
        ("<li role=heading>a</li>", []),
        ("<p class=MsoTitle>a</p><h1>b</h1><h6>c</h6>", ["h1", "h2", "h6"]),
        ("<p class=MsoTitle></p><h1>b</h1>", ["h1"]),
        ("<p class=MsoTitle>a</p><div role=heading>b</div>", ["h1", "h2"]),
    ],
)
def test_levels_are_those_of_the_page(html: str, expected: list[str]) -> None:
    """The tag says the level of a heading, and the role that of other elements."""
    page = parse(f"<body>{html}")
    tag = read_headings(page, np.ones(len(page), np.bool_))
    assert expected == [NAMES[code] for code in tag[HEADINGS[tag]].tolist()]
