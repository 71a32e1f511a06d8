"""The card states how the weights were made."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.training.adapter.labelled import make_pages
from thresher.training.adapter import fit
from thresher.training.adapter.fit import Recipe
from thresher.training.adapter.recipe import compare, train, write_card


@pytest.mark.slow
def test_card_documents_the_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The card has digest, command, data, scores and curve, and says that twelve pages are few."""
    monkeypatch.setattr(fit, "N_STEP", 5)  # what is learned is not looked at
    pages, recipe = make_pages(12), Recipe("mlp", 2.0)
    trained = train(pages, recipe, n_fold=3)
    weights = tmp_path / "mine.npz"
    trained.model.save(weights)
    card = write_card(
        weights,
        recipe,
        trained,
        compare(pages, trained.folds, trained.fold_of),
        date="2026-11-22",
        command="thresher train pages",
        versions={"numpy": "2"},
    )
    assert card.startswith("# mine\n")
    assert hashlib.sha256(weights.read_bytes()).hexdigest() in card
    assert "\n    thresher train pages\n" in card
    assert "12 pages of 12 sites" in card
    assert "costs 2 times" in card
    assert "- 12 pages are few" in card
    assert {"| before |", "| after |"} <= {
        line[: line.find("|", 1) + 1] for line in card.split("\n")
    }
    assert "| 5 | " in card
