"""Links into the page itself."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import soups
from thresher.analysis.links import find_inner_links, find_marked_links
from thresher.page.parse import parse

URL = "https://site.example/a?b"


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("#x", ["x"]),
        ("?b#x", ["x"]),
        ("https://site.example/a?b#x", ["x"]),
        ("/c#x", []),
        ("#", []),
        ("#%C3%A9", ["é"]),
    ],
)
def test_link_is_found_when_it_leads_into_the_page(href: str, expected: list[str]) -> None:
    """Only links to a place of the same page count, however they are spelled."""
    page = parse(f"<body><a href='{href}'>a</a><p id=x>b", url=URL)
    links = find_inner_links(page, np.ones(page.leaves.size, np.bool_))
    assert expected == [link.name for link in links]


@given(soups(), st.randoms(use_true_random=False))
def test_links_with_marks_are_those_of_numpy(soup: str, chance: Random) -> None:
    """The compiled step must find the same links as NumPy for any page and any selection."""
    page = parse(f"<a href='#x'>a</a><a href=x>b</a>{soup}<a title='#'>c</a>#")
    keep = np.array([chance.random() < 0.5 for _ in page.leaves], np.bool_)
    assert (
        find_marked_links.definition(page, keep).tolist() == find_marked_links(page, keep).tolist()
    )
