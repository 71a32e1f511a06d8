"""Tables, lists and headings among kept text are kept as a whole."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.compiled_steps import needs_steps
from tests.helpers.trees import soups
from thresher.algorithms.learned.structures import complete_structures
from thresher.features import compute_features
from thresher.page.parse import parse

STORY = "<p>The mill grinds rye from early in the morning.</p>"
LIST = "<ul><li>rye<li>oats</ul>"
TABLE = "<table><tr><th>grain<th>sacks<tr><td>rye<td>12</table>"
TERMS = "<dl><dt>rye<dd>a grain</dl>"
DETAILS = "<details><summary>Which?</summary>Rye.</details>"
LINKS = "<ul><li><a href=/a>rye</a><li><a href=/b>oats</a></ul>"
FIGURE = "<figure><p>A mill.</p><figcaption>The mill in May.</figcaption></figure>"


def complete(html: str, keep: str, probability: float = 0.3) -> str:
    """Return the additionally kept blocks, each as 1 or 0."""
    page = parse(html)
    flags = np.array([char == "1" for char in keep])
    assert len(page.blocks) == flags.size
    found = complete_structures(
        page, compute_features(page), flags, np.full(flags.size, probability)
    )
    return "".join("01"[flag] for flag in found.tolist())


@pytest.mark.parametrize(
    ("structure", "n_block"), [(LIST, 2), (TABLE, 4), (TERMS, 2), (DETAILS, 2), (LIST * 2, 4)]
)
def test_structure_is_kept_when_between_kept_blocks(structure: str, n_block: int) -> None:
    """A structure between kept blocks is kept as a whole; of two in a row neither is."""
    keep = f"1{'0' * n_block}1"
    expected = "0" * n_block if structure == LIST * 2 else "1" * n_block
    assert f"0{expected}0" == complete(f"<div>{STORY}{structure}{STORY}</div>", keep)


def test_table_is_kept_directly_after_a_kept_block() -> None:
    """A probable table at the end of a story is kept; lists and tables of links are not."""
    assert "01111" == complete(f"<div>{STORY}{TABLE}</div>", "10000")
    assert "000" == complete(f"<div>{STORY}{LIST}</div>", "100")
    linked = TABLE.replace("rye", "<a href=/a>rye and all that</a>")
    assert "00000" == complete(f"<div>{STORY}{linked}</div>", "10000")
    assert "00000" == complete(f"<div>{STORY}{TABLE}</div>", "10000", 0.05)


def test_rest_of_a_table_is_kept_when_a_part_is() -> None:
    """The rest of a table after kept text is kept if a third of its words are."""
    assert "01100" == complete(f"<div>{STORY}{TABLE}</div>", "10011")
    assert "00000" == complete(f"<div>{TABLE}{STORY}</div>", "10001")


@pytest.mark.parametrize(
    ("html", "keep"),
    [
        (f"{STORY}{LIST}", "100"),
        (f"{LIST}{STORY}", "001"),
        (f"<div>{STORY}{LIST}</div>{STORY}{STORY}", "10010"),
        (f"{STORY}{LINKS}{STORY}", "1001"),
        (f"{STORY}{FIGURE}{STORY}", "1001"),
        (f"{STORY}{LIST}{STORY}", "0000"),
        (LIST, "10"),
    ],
    ids=["last", "first", "other container", "links", "figure", "nothing kept", "nothing else"],
)
def test_structure_outside_the_text_is_dropped(html: str, keep: str) -> None:
    """A structure needs few links, and kept blocks of the same container on both sides."""
    assert "0" * len(keep) == complete(f"<div>{html}</div>", keep)


def test_improbable_structure_is_dropped() -> None:
    """A structure between kept blocks is dropped if its probability is very low."""
    html = f"<div>{STORY}{LIST}{STORY}</div>"
    assert "0000" == complete(html, "1001", probability=0.05)


@pytest.mark.parametrize(("keep", "expected"), [("101", "010"), ("100", "000"), ("001", "000")])
def test_heading_is_kept_when_between_kept_blocks(keep: str, expected: str) -> None:
    """A heading is kept only if the blocks on both sides are kept."""
    assert expected == complete(f"<div>{STORY}<h2>Rye</h2>{STORY}</div>", keep)


def test_title_is_left_to_the_network() -> None:
    """A title between kept blocks is not added, as the network decides on it."""
    assert "000" == complete(f"<div>{STORY}<h1>Rye</h1>{STORY}</div>", "101")


def test_page_without_structures_is_left_alone() -> None:
    """A page without lists, tables and headings gets no additional blocks."""
    assert "00" == complete(f"<div>{STORY}{STORY}</div>", "10")
    assert "0" == complete("<p>Rye.", "1")


@needs_steps
@given(soups(), st.randoms(use_true_random=False), st.sampled_from([0.2, 0.5, 0.8]))
def test_compiled_step_equals_numpy(soup: str, chance: Random, share: float) -> None:
    """The compiled kernel equals the numpy definition for any page and mask."""
    page = parse(f"{soup}<ul><li>rye<li>oats</ul><h2>Rye</h2><table><tr><td>1<td>2</table>{soup}")
    if not len(page.blocks):
        return
    keep = np.array([chance.random() < share for _ in range(len(page.blocks))])
    probability = np.array([chance.random() for _ in keep])
    inputs = (page, compute_features(page), keep, probability)
    assert complete_structures.definition(*inputs).tolist() == complete_structures(*inputs).tolist()
