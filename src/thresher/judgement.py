"""What a learned method says beyond which blocks it keeps: of the page, and of its own reasons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Candidate", "Effect", "Explain", "Judgement"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of the sets of blocks that could have been kept."""

    name: str
    """How it was found."""
    words: int
    """Words of its blocks."""
    score: float
    """How it ranks among the others: the higher, the better."""
    expected: float
    """The F1 that it is expected to reach, 0 to 1, before calibration."""
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a method holds of a page as a whole."""

    page_types: tuple[tuple[str, float], ...]
    """Page types with their probabilities, the most probable first; each is rounded, so they add up
    to 1 only about."""
    empty_probability: float
    """The probability that the page has no main content."""
    confidence: float
    """The word F1 to be expected of the selection, from 0 to 1, calibrated on labelled pages."""
    candidates: tuple[Candidate, ...] = ()
    """The sets of blocks that were weighed, where a model chose among some."""


@dataclass(frozen=True, slots=True)
class Effect:
    """How much one feature moved the decision on one block."""

    feature: str
    """Its name in `thresher.features.FEATURES`; `type_` and the name of a page type for the
    probability of that; `names` for tags, classes and ids together."""
    value: float | None
    """The feature's value; None for names."""
    log_odds: float
    """What it added to the log-odds that the block is content, against a usual value."""


Explain = Callable[[int], tuple[Effect, ...]]
"""Block → the effects of all features on it, the largest first."""
