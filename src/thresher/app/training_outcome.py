"""The results and the progress of a training run, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["TrainingOutcome", "describe_training", "outcome_of"]

_STAGES: Final[Mapping[str, tuple[int, str, str]]] = {
    "reading": (1, "reading the pages", "pages"),
    "training": (2, "training the models", "models"),
    "measuring": (3, "evaluating on unseen sites", "pages"),
}
"""Stage → its number, what is done, and what is counted."""
_SHIPPED: Final = "the shipped weights"


@dataclass(frozen=True, slots=True)
class TrainingOutcome:
    """Comparison of trained weights with the shipped ones."""

    kind: str
    """``gain``, ``loss``, or ``unclear`` for a difference that is not significant."""
    short: str
    """For tables."""
    title: str
    text: str


def outcome_of(result: Mapping[str, Any]) -> TrainingOutcome:
    """Return the outcome of a run from its result event."""
    gain, error = 100 * result["gain"], 100 * result["gain_error"]
    points = f"{abs(gain):.1f} points of F1 (± {error:.1f})"
    if not result["is_sure"]:
        signed = f"{gain:+.1f} points of F1 (± {error:.1f})".replace("-", "−")
        return TrainingOutcome(
            "unclear",
            "no clear difference",
            "No clear difference",
            f"On unseen sites, your model differs by {signed}, which can be chance. Label more"
            " pages to find out.",
        )
    if gain > 0:
        return TrainingOutcome(
            "gain",
            f"gain of {gain:.1f}",
            "A gain",
            f"On unseen sites, your model is better than {_SHIPPED} by {points}.",
        )
    return TrainingOutcome(
        "loss",
        f"loss of {-gain:.1f}",
        "A loss",
        f"On unseen sites, your model is worse than {_SHIPPED} by {points}. Keep the shipped"
        " weights, or label more pages and train again.",
    )


def describe_training(progress: Mapping[str, Any] | None) -> str:
    """Return how far a run is; None before its first event."""
    if not progress or progress.get("stage") not in _STAGES:
        return "Starting"
    number, doing, counted = _STAGES[progress["stage"]]
    done, total = progress.get("done", 0), progress.get("total", 0)
    amount = f"{done:,} of {total:,} {counted}" if total else f"{done:,} {counted}"
    return f"Step {number} of {len(_STAGES)}, {doing}: {amount} done"
