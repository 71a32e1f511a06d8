"""Headings by tag and by role."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.analysis.links import find_inner_links
from thresher.page.parse import parse
from thresher.page.tags import NAMES
from thresher.writers.outline.headings import HEADINGS, find_permalinks, read_headings


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


URL = "https://site.example/a?b"


@pytest.mark.parametrize(
    ("html", "n_leaf", "n_row"),
    [
        ("<h2>a<a href=#a>¶</a></h2>", 1, 0),
        ("<h2>a <a href=/p>🔗</a></h2>", 1, 0),
        ("<h2>a<a href=/p>&amp;</a></h2>", 0, 0),
        ("<h2>a<a href='javascript:x()'>↑</a></h2>", 1, 0),
        ("<h2>a<a class=anchor href=/p>∷</a></h2>", 1, 0),
        ("<h2>a <a class=headerlink href=#a>link</a></h2>", 1, 0),
        ("<h2><a href=#a>a</a></h2>", 0, 1),
        ("<h2><a href=/a>a</a></h2>", 0, 0),
        ("<p>a<a href=#a>¶</a></p>", 0, 0),
        ("<p id=a>a<a href=#a>¶</a></p>", 1, 0),
        ("<p><a id=a></a>a<a href=#a>#</a></p>", 1, 0),
        ("<p id=a>a</p><p><a href=#a>#</a></p>", 0, 0),
        ("<dl><dt id=a><a class=permalink href=#a>a</a><dd>b</dl>", 0, 1),
        ("<dl><dt><a class=permalink href=#b>a</a><dd id=b>b</dl>", 0, 0),
        ("<h2><a href='/a?b'>a</a></h2>", 0, 1),
        ("<h2>a <button>Copy</button></h2>", 1, 0),
        ("<h2><button>a</button></h2>", 0, 0),
    ],
)
def test_permalink_is_found_when_it_is_in_a_heading(html: str, n_leaf: int, n_row: int) -> None:
    """Signs must go, words must lose their link, and links elsewhere must stay."""
    page = parse(f"<body>{html}", url=URL)
    keep = np.ones(page.leaves.size, np.bool_)
    found = find_permalinks(page, keep, find_inner_links(page, keep))
    assert (n_leaf, n_row) == (found.leaves.size, len(found.rows))
