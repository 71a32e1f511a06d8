"""Keep the largest body of text: the one container with the most words of its own.

Source: McKeown, Barzilay, Evans, Hatzivassiloglou, Kan, Schiffman and Teufel, "Columbia
Multi-document Summarization: Approach and Evaluation", 2001, as described in the Crunch paper of
2003.
Idea: every word belongs to the innermost container around it; these words are a container's body.
The body with the most words is the content, if it has enough of them.
Score: words of the body that the block belongs to; the largest is content.
Departures and known failures: docs/algorithms/largest_body.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from thresher.page import Page
from thresher.selection import Selection
from thresher.support.settings import setting

_CONTAINER_TAGS: Final = tuple(
    "body td th div center form section article main aside nav header footer noscript".split()
)
"""Cells, and elements that contain text, paragraphs and lists without being one of these."""

_LARGEST, _SMALLER, _TOO_SMALL = range(3)


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of `largest_body`."""

    container_tags: tuple[str, ...] = setting(_CONTAINER_TAGS, "tags that bound a body of text")
    min_words: int = setting(
        1, "words below which the largest body is no content either", unit="words", low=0
    )


def select(page: Page, params: Params) -> Selection:
    """Keep the leaves whose innermost container is the one with the most words."""
    container = page.tagged(params.container_tags)
    container[0] = True
    body = page.nearest(container)
    words = np.bincount(
        body[page.leaves], weights=page.leaf_words.astype(np.float64), minlength=len(page)
    ).astype(np.float64)
    largest = int(np.argmax(words))
    enough = words[largest] >= params.min_words
    verdict = np.where(body == largest, _LARGEST if enough else _TOO_SMALL, _SMALLER)
    return Selection.of_rows(
        page,
        "largest_body",
        verdict == _LARGEST,
        score=words[body],
        reason_code=verdict,
        reasons=(
            f"in the largest body of text, of {words[largest]:.0f} words",
            "in a smaller body of text",
            f"in a body of less than {params.min_words} words",
        ),
    )
