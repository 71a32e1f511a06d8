"""Credits are summed into precision, recall and F1."""

from __future__ import annotations

import pytest

from thresher.evaluation.metadata_scores.scores import FIELDS, Tally, add_up, compare, read_values

PAGE = ("grain", "1", 1)


def test_compare_gives_an_outcome_for_each_field() -> None:
    """Every field has an outcome, even without a label or an answer."""
    found = read_values("Rye", [], "2024-05-03")
    label = read_values("Rye", ["Ada Roth"], None)
    outcomes = {o.field: o for o in compare("ours", PAGE, found, label, {"title": 0.9})}
    assert list(FIELDS) == list(outcomes)
    assert (1.0, 0.9) == (outcomes["title"].credit, outcomes["title"].confidence)
    assert (True, False) == (outcomes["authors"].is_labelled, outcomes["authors"].is_found)
    assert (False, True) == (outcomes["date"].is_labelled, outcomes["date"].is_found)


def test_add_up_when_some_are_wrong_or_missing() -> None:
    """Precision is correct / found, recall correct / labelled; unlabelled fields do not count."""
    label, bare = read_values("Rye", [], None), read_values(None, [], None)
    answers = [("Rye", label), ("Oats", label), (None, label), (None, label), ("Rye", bare)]
    outcomes = [
        outcome
        for title, gold in answers
        for outcome in compare("ours", PAGE, read_values(title, [], None), gold)
        if outcome.field == "title"
    ]
    tally = add_up(outcomes)
    assert Tally(n_label=4, n_right=1.0, n_wrong=1.0, n_missing=2, n_extra=1) == tally
    assert (0.5, 0.25) == (tally.precision, tally.recall)
    assert pytest.approx(1 / 3) == tally.f1


def test_add_up_when_there_is_nothing() -> None:
    """Without pages there is no score and no division by zero."""
    tally = add_up([])
    assert (0.0, 0.0, 0.0) == (tally.precision, tally.recall, tally.f1)
