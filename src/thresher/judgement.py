"""A learned method's judgement of a page, and the effects of features on its decisions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Judgement:
    """Estimates about a page as a whole."""

    page_types: tuple[tuple[str, float], ...]
    """Page types with their probabilities, the most probable first; each is rounded, so their sum
    is only approximately 1."""
    empty_probability: float
    """The probability that the page has no main content."""
    confidence: float
    """Expected word F1 of the selection, from 0 to 1, calibrated on labelled pages."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of one feature on the decision about one block."""

    feature: str
    """Its name in `thresher.features.FEATURES`; `type_` and the name of a page type for the
    probability of that type; `names` for tags, classes and ids together."""
    value: float | None
    """The feature's value; None for names."""
    log_odds: float
    """Log-odds that the block is content with the feature, minus those with its mean value."""


Explain = Callable[[int], tuple[Effect, ...]]
"""Block → the effects of all features on it, the largest first."""
