"""The compiled steps of the writers must agree with their numpy definitions."""

from __future__ import annotations

import pickle
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.compiled_steps import compiled_steps, needs_steps, without_compiled_steps
from tests.helpers.trees import soups
from thresher.extraction import document_of
from thresher.page import Page
from thresher.page.leaves import CLOSING
from thresher.page.parse import parse
from thresher.page.rows import BoolArray
from thresher.page.tags import NAMES
from thresher.selection import Selection
from thresher.writers.outline.outline import Outline, outline_page

pytestmark = needs_steps

_NAMES: Final = (
    "a b blockquote caption cite code dd del details div dl dt em figcaption figure h2 h4 i ins li"
    " menu ol p pre q small span strong sub summary sup table td th tr ul var"
).split()
_TAGS: Final = [f"<{mark}{name}>" for name in _NAMES for mark in ("", "/")]
_CONTENT: Final = ("x", "y z", " ", ", w", "\n", "<br>", "<hr>", "<img src=a.png>", "<td>", "<li>")
_LINKS: Final = ("<a href=/b>", "<a href=/c title=d>", "<h3 role=heading>", "<div role=heading>")
CONTENT: Final = st.lists(st.sampled_from([*_TAGS, *_CONTENT * 4, *_LINKS]), max_size=60).map(
    "".join
)
"""Content of every kind in every order; the parser nests it."""
FORMATS: Final = ("markdown", "text", "html")


def write_all(page: Page, keep: BoolArray) -> list[str]:
    """Write the kept leaves of a page in several formats."""
    n_block = len(page.blocks)
    nothing = np.zeros(n_block, np.float32), np.zeros(n_block, np.int16)
    document = document_of(Selection(page, "drawn", keep, *nothing, ("drawn",)))
    return [document.write(name) for name in FORMATS]


def check(html: str, seed: int) -> None:
    """Compare outlines and outputs of a page, of which some leaves are kept."""
    page = parse(html, url="https://site.example/")
    random = np.random.default_rng(seed)
    keep: BoolArray = random.random(page.leaves.size) < (0.3, 0.9, 1.1)[seed % 3]
    if not keep.any():
        return
    mine = outline_page(page, keep)
    written = write_all(page, keep)
    twin = pickle.loads(pickle.dumps(page))
    with without_compiled_steps():
        theirs = outline_page(twin, keep)
        expected = write_all(twin, keep)
    for name in set(Outline._fields) - {"page", "runs", "items", "styled", "continued"}:
        ours, others = getattr(mine, name), getattr(theirs, name)
        np.testing.assert_array_equal(others, ours, name)
        assert others.dtype == ours.dtype
    np.testing.assert_array_equal(theirs.runs.start, mine.runs.start)
    np.testing.assert_array_equal(theirs.runs.of_leaf, mine.runs.of_leaf)
    assert expected == written


@given(CONTENT | soups(), st.integers(0, 99))
def test_outputs_agree_on_soup(html: str, seed: int) -> None:
    """Outlines and outputs must be those of numpy, whatever the soup and the selection."""
    check(html, seed)


@pytest.mark.parametrize(("name", "value"), [("end", 99), ("end", -1), ("leaf_offset", 99)])
def test_steps_refuse_when_a_page_is_inconsistent(name: str, value: int) -> None:
    """Rows and leaves out of bounds must be refused."""
    page = parse("<ul><li>x</li><li>y <b>z</b></li></ul>")
    broken = getattr(page, name).copy()
    broken[1] = value
    buffer, tag, parent, end, open_start, leaf_offset, leaves = (
        broken if each == name else getattr(page, each)
        for each in ("buffer", "tag", "parent", "end", "open_start", "leaf_offset", "leaves")
    )
    refused = compiled_steps().group_kept(
        *(buffer, tag, parent, end, open_start, leaf_offset, leaves, page.blocks.of_leaf),
        np.ones(page.leaves.size, np.bool_),
        page.gaps,
        CLOSING,
        len(NAMES),
    )
    assert refused is None
