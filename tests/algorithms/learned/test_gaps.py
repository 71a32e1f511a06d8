"""Pictures, formulas and code between kept text are kept."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algorithms.learned.masks import flags_of, shown
from tests.helpers.compiled_steps import needs_steps
from tests.helpers.trees import soups
from thresher.algorithms.learned.gaps import find_gaps
from thresher.features import compute_features
from thresher.page.parse import parse

STORY = "<p>The mill grinds rye.</p>"
PICTURE = "<p><img src=mill.jpg></p>"
CODE = "<pre>grind(rye)</pre>"
FORMULA = "<p><math><mi>rye</mi></math></p>"


def join(html: str, keep: str, probability: float = 0.5) -> str:
    """Return the additionally kept blocks, each as 1 or 0."""
    page = parse(html)
    flags = flags_of(keep)
    assert len(page.blocks) == flags.size
    joins = find_gaps(page, compute_features(page), flags, np.full(flags.size, probability))
    return shown(joins)


@pytest.mark.parametrize("between", [PICTURE, CODE, FORMULA])
def test_block_is_kept_between_kept_ones(between: str) -> None:
    """A picture, formula or code block between two kept paragraphs is kept."""
    assert "010" == join(f"<div>{STORY}{between}{STORY}</div>", "101")


@pytest.mark.parametrize(
    ("html", "keep", "expected"),
    [
        (f"{STORY}{PICTURE}{STORY}", "100", "000"),
        (f"{STORY}{PICTURE}{STORY}", "001", "000"),
        (f"{STORY}{PICTURE}{STORY}", "000", "000"),
        (f"{STORY}{STORY}{STORY}", "101", "000"),
        (f"<div>{STORY}{STORY}{STORY}{PICTURE}</div>{STORY}{STORY}", "111010", "000000"),
    ],
    ids=["last", "first", "nothing kept", "text", "other container"],
)
def test_block_is_dropped_when_not_between_kept_ones(html: str, keep: str, expected: str) -> None:
    """Both sides need a kept block in the same container; text is never added."""
    assert expected == join(f"<div>{html}</div>", keep)


@pytest.mark.parametrize(
    ("html", "keep", "expected"),
    [
        (f"{STORY}{PICTURE}<ul><li>rye<li>oats</ul>", "1010", "0100"),
        (f"<section>{STORY}{STORY}</section>{PICTURE}{STORY}", "1101", "0010"),
        (
            f"<ul><li>rye<li>oats</ul><figure>{PICTURE}<figcaption>Mill</figure>{STORY}",
            "11001",
            "00100",
        ),
    ],
    ids=["before a list", "after a section", "figure after a list"],
)
def test_picture_is_kept_between_kept_parts_of_its_container(
    html: str, keep: str, expected: str
) -> None:
    """A list, section or figure beside a picture is another container: the one around counts."""
    assert expected == join(f"<div>{html}</div>", keep)


def test_code_is_kept_directly_after_a_kept_block() -> None:
    """Code directly below a kept paragraph is kept; pictures and more distant code are not."""
    assert "010" == join(f"<div>{STORY}{CODE}{STORY}</div>", "100")
    assert "000" == join(f"<div>{STORY}{STORY}{CODE}</div>", "100")
    assert "000" == join(f"<div>{CODE}{STORY}{STORY}</div>", "010")


@pytest.mark.parametrize(("n_picture", "joined"), [(1, True), (4, True), (5, True), (6, False)])
def test_pictures_are_kept_when_text_is_near(n_picture: int, joined: bool) -> None:
    """A picture needs a kept block within three blocks on each side: a gallery is not a gap."""
    keep = f"1{'0' * n_picture}1"
    found = join(f"<div>{STORY}{PICTURE * n_picture}{STORY}</div>", keep)
    middle = found[1 + (n_picture - 1) // 2]
    assert joined == (middle == "1")


def test_improbable_block_is_dropped() -> None:
    """An advertisement between two paragraphs is dropped because its probability is too low."""
    assert "000" == join(f"<div>{STORY}{PICTURE}{STORY}</div>", "101", probability=0.05)


@needs_steps
@given(soups(), st.randoms(use_true_random=False), st.sampled_from([0.2, 0.5, 0.8]))
def test_compiled_step_finds_what_numpy_does(soup: str, chance: Random, share: float) -> None:
    """The compiled kernel equals the numpy definition for any page and mask."""
    page = parse(f"{soup}<pre>grind</pre><p><img src=a></p><p><math><mi>x</mi></math></p>{soup}")
    if not len(page.blocks):
        return
    keep = np.array([chance.random() < share for _ in range(len(page.blocks))])
    probability = np.array([chance.random() for _ in keep])
    inputs = (page, compute_features(page), keep, probability)
    assert find_gaps.definition(*inputs).tolist() == find_gaps(*inputs).tolist()
