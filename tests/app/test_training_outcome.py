"""Outcome and progress of training runs, in words."""

from __future__ import annotations

import pytest

from thresher.app.pages.train import describe_training, outcome_of


@pytest.mark.parametrize(
    ("gain", "is_sure", "kind", "text"),
    [
        (0.021, True, "gain", "better than the shipped weights by 2.1 points of F1 (± 0.5)"),
        (-0.021, True, "loss", "worse than the shipped weights by 2.1 points of F1 (± 0.5)"),
        (-0.004, False, "unclear", "differs by −0.4 points of F1 (± 0.5), which can be chance"),
    ],
)
def test_an_outcome_is_called_what_it_is(gain: float, is_sure: bool, kind: str, text: str) -> None:
    """A significant difference is a gain or a loss, any other is unclear."""
    found = outcome_of({"gain": gain, "gain_error": 0.005, "is_sure": is_sure})
    assert kind == found.kind
    assert text in found.text


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (None, "Starting"),
        (
            {"stage": "training", "done": 3, "total": 11},
            "Step 2 of 3, training the models: 3 of 11 models done",
        ),
        (
            {"stage": "measuring", "done": 1200, "total": 0},
            "Step 3 of 3, evaluating on unseen sites: 1,200 pages done",
        ),
    ],
)
def test_progress_is_said_in_words(progress: dict[str, object] | None, words: str) -> None:
    """Progress has its step and what is counted, also without a total."""
    assert words == describe_training(progress)
