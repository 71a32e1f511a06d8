"""Captions of kept pictures are kept."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.algorithms.learned.captions import find_captions, flag_figures
from thresher.page.parse import parse

FIGURE = "<figure><p><img src=mill.jpg></p><figcaption>The mill in May.</figcaption></figure>"
QUOTE = "<figure><p>Grind rye.</p><figcaption>The miller</figcaption></figure>"
STORY = "<p>The mill grinds rye.</p>"


def join(html: str, keep: str, probability: float = 0.5) -> str:
    """Return the additionally kept blocks, each as 1 or 0."""
    page = parse(html)
    flags = np.array([char == "1" for char in keep])
    assert len(page.blocks) == flags.size
    found = find_captions(page, flags, np.full(flags.size, probability))
    return "".join("01"[joined] for joined in found.tolist())


@pytest.mark.parametrize(
    ("html", "keep", "probability", "expected"),
    [
        (STORY + FIGURE, "110", 0.5, "001"),
        (STORY + FIGURE, "100", 0.5, "000"),
        (STORY + FIGURE, "111", 0.5, "000"),
        (STORY + FIGURE, "110", 0.1, "000"),
        (STORY + QUOTE, "110", 0.5, "000"),
        (STORY, "1", 0.5, "0"),
    ],
    ids=["picture kept", "picture dropped", "kept", "improbable", "no picture", "no figure"],
)
def test_caption_is_kept_when_its_picture_is(
    html: str, keep: str, probability: float, expected: str
) -> None:
    """A caption is kept if its picture is kept and its own probability is not too low."""
    assert expected == join(html, keep, probability)


def test_figures_with_a_caption_are_flagged() -> None:
    """Only pictures with captions part a text without ending it."""
    page = parse(f"{STORY}{FIGURE}{STORY}<figure><p>Rye</p></figure>")
    assert [False, True, True, False, False] == flag_figures(page).tolist()
