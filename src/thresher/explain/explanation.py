"""Explain one extraction: what a method made of each block of a page, and where its limit lies.

The data behind the report that `explain_page` writes and `explain_chart` draws. It says what the
document says of the page and the selection of each block, and measures beside it what the two
oldest sources draw: the length of each string (Arias, Deschacht, Moens 2009, figures 2 and 3) and
the text that each stretch of source held (Champandard 2007).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms import ALGORITHMS
from thresher.analysis.obstacles import Obstacle
from thresher.document import Block, Document, PageType, Verdict
from thresher.judgement import Candidate, Effect

__all__ = ["MAX_EFFECT_BLOCKS", "ExplainedBlock", "Explanation", "Limit", "Setting", "explain"]

MAX_EFFECT_BLOCKS: Final = 2_000
"""Blocks of a page above which nothing is told of effects: a learned method runs once a feature to
find them, some four seconds for so many."""
_N_EFFECT: Final = 5
"""Effects told of a block: those that matter, and few enough to read."""

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Limit:
    """The score that parts what a method holds for content from the rest."""

    score: float
    label: str
    """What it is, in a few words."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One parameter of the method, and the value it was run with."""

    name: str
    value: str
    is_default: bool
    help: str


@dataclass(frozen=True, slots=True)
class ExplainedBlock:
    """One block with what is drawn of it."""

    block: Block
    n_char: int
    """Characters of its text."""
    density: float
    """Share of text in the source from the end of the block before to its own end, 0 to 1."""
    lean: float
    """How far its score is from the limit: −1 to 1, content above 0."""
    effects: tuple[Effect, ...]
    """The features that moved the decision on it most, the largest effect first."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that the report of one page tells."""

    title: str | None
    url: str | None
    verdict: Verdict
    obstacle: Obstacle | None
    page_type: PageType | None
    confidence: float | None
    """The word F1 to be expected of the result, 0 to 1."""
    method: str
    summary: str
    source: str
    settings: tuple[Setting, ...]
    limit: Limit | None
    """None where no single score parts the two."""
    candidates: tuple[Candidate, ...]
    """The sets of blocks among which a model chose, if one did."""
    blocks: tuple[ExplainedBlock, ...]
    n_word: int
    n_kept_word: int
    n_source_char: int
    html: str
    """The main content as clean HTML, safe to show."""


def explain(document: Document, params: Any, *, effects: bool = True) -> Explanation:
    """Explain what a method of `ALGORITHMS` selected; ``params`` is what it was run with.

    Without ``effects`` no block has any: they cost more than all the rest.
    """
    page, selection = document.page, document.selection
    algorithm = ALGORITHMS[selection.method]
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
            Setting(each.name, each.display(value), value == each.default, each.help)
            for each in algorithm.parameters()
            for value in [getattr(params, each.name)]
        ),
        limit=limit,
        candidates=selection.judgement.candidates if selection.judgement else (),
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
    """Find what parts the scores; None where a page has no blocks or its scores do not tell."""
    if not score.size:
        return None
    if method in _LIMITS:
        return _LIMITS[method](score, params)
    if (score < 0).any():
        return Limit(0.0, "content is at 0 and above, as far as scores decide")
    if kept.any() and not kept.all() and score[~kept].max() < score[kept].min():
        between = (score[~kept].max() + score[kept].min()) / 2
        return Limit(float(between), "all that is kept is above, all else below")
    return Limit(0.5, "as likely content as not") if method in _PROBABILITIES else None


def _cutoff_of_lengths(score: Scores, params: Any) -> Limit | None:
    if params.degree:
        return None  # the region ends where a fitted curve does, at no length
    cutoff = score.max() * params.cutoff_share
    return Limit(float(cutoff), "cutoff: longer strings make up the region")


_LIMITS: Final[Mapping[str, Callable[[Scores, Any], Limit | None]]] = {
    "max_density": _cutoff_of_lengths
}
"""Methods whose scores are in a unit with a limit other than 0."""
_PROBABILITIES: Final = frozenset(("learned",))
"""Methods whose scores are probabilities of being content."""


def _lean(score: Scores, limit: float) -> Scores:
    """Return each score's distance from the limit, the farthest of its side being 1, or −1.

    Ranks would hide how clear a case is and plain distances drown in one outlier: so square roots.
    """
    away = score - limit
    lean = np.sign(away) * np.sqrt(np.abs(away))
    for side in (lean > 0, lean < 0):
        if side.any():
            lean[side] /= np.abs(lean[side]).max()
    return lean


def _find_effects(document: Document) -> list[tuple[Effect, ...]]:
    """Return the largest effects of each block; none of very long pages."""
    n_block = len(document.page.blocks)
    if n_block > MAX_EFFECT_BLOCKS:
        return [()] * n_block
    found = map(document.selection.effects, range(n_block))
    return [tuple(each for each in some[:_N_EFFECT] if each.log_odds) for some in found]


def _measure_density(blocks: Sequence[Block]) -> list[float]:
    """Measure each block's share of text in the source that it needed; 0 where it is not in it."""
    shares = []
    reached = 0
    for block in blocks:
        n_char = len(block.text)
        if block.source is None:
            shares.append(0.0)
            continue
        # Misnested markup can move a text to where no source is left for it.
        shares.append(n_char / max(block.source.stop - reached, n_char, 1))
        reached = max(reached, block.source.stop)
    return shares
