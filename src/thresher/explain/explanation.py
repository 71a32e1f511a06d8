"""Explanation of one extraction: the decision on each block of a page, and the method's limit.

The data of the report that `thresher.explain.page` writes. It combines the document's results
for the page and the selection's for each block with the measures that the two oldest sources plot:
the length of each string (Arias, Deschacht, Moens 2009, figures 2 and 3) and the text density of
the source (Champandard 2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms import find_algorithm
from thresher.analysis.obstacles import Obstacle
from thresher.document import Block, Document, PageType, Verdict
from thresher.selection import Effect

MAX_EFFECT_BLOCKS: Final = 2_000
"""Blocks of a page above which effects are omitted: a learned method runs once per feature to find
them, some four seconds for this many."""
_N_EFFECT: Final = 5
"""Effects listed for a block: the largest, and few enough to read."""

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Limit:
    """The score that separates content from boilerplate for a method."""

    score: float
    label: str
    """A short description."""


@dataclass(frozen=True, slots=True)
class ParameterValue:
    """One parameter of the method and its value."""

    name: str
    value: str
    is_default: bool
    help: str


@dataclass(frozen=True, slots=True)
class ExplainedBlock:
    """One block with the measures drawn in charts."""

    block: Block
    n_char: int
    """Characters of its text."""
    density: float
    """Share of text in the source from the end of the block before to its own end, 0 to 1."""
    lean: float
    """Relative distance of its score from the limit: −1 to 1, content above 0."""
    effects: tuple[Effect, ...]
    """The features with the largest effects on its decision, largest first."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The content of the report on one page."""

    title: str | None
    url: str | None
    verdict: Verdict
    obstacle: Obstacle | None
    page_type: PageType | None
    confidence: float | None
    """The expected word F1 of the result, 0 to 1."""
    method: str
    summary: str
    source: str
    settings: tuple[ParameterValue, ...]
    limit: Limit | None
    """None if no single score separates the two."""
    blocks: tuple[ExplainedBlock, ...]
    n_word: int
    n_kept_word: int
    n_source_char: int
    html: str
    """The main content as clean HTML, safe to show."""


def explain(document: Document, params: Any, *, effects: bool = True) -> Explanation:
    """Explain the selection of a method of `ALGORITHMS`, run with ``params``.

    Without ``effects`` they are not computed: they cost more than all the rest.
    """
    page, selection = document.page, document.selection
    algorithm = find_algorithm(selection.method)
    score = selection.score.astype(np.float64)
    limit = _find_limit(selection.method, score, selection.block_keep, params)
    lean = _lean(score, limit.score if limit else 0.0)
    density = _measure_density(document.blocks)
    moved = _find_effects(document) if effects else [()] * len(document.blocks)
    title = document.metadata.title
    return Explanation(
        title=title.value if title else None,
        url=page.url,
        verdict=document.verdict,
        obstacle=document.obstacle,
        page_type=document.page_type,
        confidence=document.confidence,
        method=selection.method,
        summary=algorithm.summary,
        source=algorithm.source,
        settings=tuple(
            ParameterValue(
                parameter.name, parameter.display(value), value == parameter.default, parameter.help
            )
            for parameter in algorithm.parameters()
            for value in [getattr(params, parameter.name)]
        ),
        limit=limit,
        blocks=tuple(
            ExplainedBlock(block, len(block.text), *measures)
            for block, *measures in zip(document.blocks, density, lean.tolist(), moved, strict=True)
        ),
        n_word=int(page.leaf_words.sum()),
        n_kept_word=int(page.leaf_words[selection.keep].sum()),
        n_source_char=len(page.source),
        html=document.html,
    )


def _find_limit(
    method: str, score: Scores, kept: npt.NDArray[np.bool_], params: Any
) -> Limit | None:
    """Find the limit of the scores; None if there are no blocks or no score separates them."""
    if not score.size:
        return None
    if method == "max_density":
        if params.degree:
            return None  # the region ends with a fitted curve, not at a length
        cutoff = score.max() * params.cutoff_share
        return Limit(float(cutoff), "cutoff: longer strings make up the region")
    if (score < 0).any():
        return Limit(0.0, "content is at 0 and above, as far as scores decide")
    if kept.any() and not kept.all() and score[~kept].max() < score[kept].min():
        between = (score[~kept].max() + score[kept].min()) / 2
        return Limit(float(between), "all that is kept is above, all else below")
    return Limit(0.5, "as likely content as not") if method == "learned" else None


def _lean(score: Scores, limit: float) -> Scores:
    """Return each score's distance from the limit, scaled to 1 or −1 for the farthest of its side.

    Square roots: ranks would hide how clear a case is, and one outlier would dominate distances.
    """
    away = score - limit
    lean = np.sign(away) * np.sqrt(np.abs(away))
    for side in (lean > 0, lean < 0):
        if side.any():
            lean[side] /= np.abs(lean[side]).max()
    return lean


def _find_effects(document: Document) -> list[tuple[Effect, ...]]:
    """Return the largest effects on each block; none for very long pages."""
    n_block = len(document.page.blocks)
    if n_block > MAX_EFFECT_BLOCKS:
        return [()] * n_block
    effects = map(document.selection.effects, range(n_block))
    return [tuple(effect for effect in some[:_N_EFFECT] if effect.log_odds) for some in effects]


def _measure_density(blocks: Sequence[Block]) -> list[float]:
    """Return each block's share of text in its stretch of source; 0 if it is not in the source."""
    shares = []
    reached = 0
    for block in blocks:
        n_char = len(block.text)
        if block.source is None:
            shares.append(0.0)
            continue
        # Misnested markup can move a text past its source.
        shares.append(n_char / max(block.source.stop - reached, n_char, 1))
        reached = max(reached, block.source.stop)
    return shares
