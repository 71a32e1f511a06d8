"""Folds by site, the learning curve, the comparison with the shipped model, and the card."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from tests.training.adapter.labelled import make_page, make_pages
from thresher.errors import UsageError
from thresher.training.adapter import fit
from thresher.training.adapter.fit import Recipe
from thresher.training.adapter.recipe import (
    AFTER,
    BEFORE,
    Progress,
    advise,
    compare,
    train,
    write_card,
)

PAGES = make_pages(20)
DOZEN = make_pages(12)


def test_training_on_twenty_pages() -> None:
    """Training gives a model of all pages, one for each fold, and a rising curve."""
    seen: list[Progress] = []
    trained = train(PAGES, Recipe(), n_fold=4, report=seen.append)
    assert (20, 20, 0, True) == (
        trained.n_page,
        trained.n_site,
        trained.n_left_out,
        trained.by_site,
    )
    assert 4 == len(trained.folds)
    assert [5] * 4 == [list(trained.fold_of.values()).count(fold) for fold in range(4)]
    assert [0, 5, 10, 15] == [point.n_page for point in trained.curve]
    assert trained.curve[-1].f1 > trained.curve[0].f1
    assert ["reading"] * 20 + ["training"] * 13 == [each.stage for each in seen]
    assert (13, 13) == (seen[-1].done, seen[-1].total)
    assert 4 == len(seen[-1].curve)


def test_pages_of_one_site_share_a_fold() -> None:
    """Pages of one site share a fold, so that no model is measured on a site it was trained on."""
    pages = [
        replace(page, url=f"https://www.valley{place % 3}.example/{place}")
        for place, page in enumerate(PAGES[:9])
    ]
    trained = train(pages, Recipe(), n_fold=3)
    folds = [trained.fold_of["valley", page.id] for page in pages]
    assert folds[:3] * 3 == folds
    assert 3 == len(set(folds))


def test_single_site_is_divided_into_folds() -> None:
    """If all pages are of one site, they are divided into folds page by page."""
    pages = [replace(page, url="https://valley.example/a") for page in PAGES[:6]]
    trained = train(pages, Recipe(), n_fold=3)
    assert (1, False, 3) == (trained.n_site, trained.by_site, len(trained.folds))


def test_pages_left_out_are_counted() -> None:
    """A page that does not contain its label is counted as left out, an unlabelled page is not."""
    wrong = replace(make_page(50), text="Quite another page was labelled here, it seems")
    unlabelled = replace(make_page(51), text=None)
    trained = train([*PAGES[:4], wrong, unlabelled], Recipe(), n_fold=2)
    assert (4, 1) == (trained.n_page, trained.n_left_out)


@pytest.mark.parametrize(("n_page", "n_fold", "says"), [(1, 2, "it takes two"), (4, 1, "folds")])
def test_too_little_data_is_rejected(n_page: int, n_fold: int, says: str) -> None:
    """A single page, or a single fold, leaves nothing to measure on."""
    with pytest.raises(UsageError, match=says):
        train(PAGES[:n_page], Recipe(), n_fold=n_fold)


@pytest.mark.parametrize(
    ("kind", "n_page", "n_site", "says"),
    [
        ("perceptron", 30, 30, []),
        ("perceptron", 12, 12, ["12 pages are few"]),
        ("learned", 100, 3, ["100 pages are few", "3 sites only"]),
        ("mlp", 60, 1, ["one site"]),
    ],
)
def test_advice(kind: str, n_page: int, n_site: int, says: list[str]) -> None:
    """Advice mentions exactly the weaknesses of the data."""
    said = advise(kind, n_page, n_site)
    assert len(says) == len(said)
    assert all(part in whole for part, whole in zip(says, said, strict=True))


def test_comparison_of_a_model_that_is_better() -> None:
    """Each page is extracted twice, and the gain is the mean difference of the pairs."""
    trained = train(DOZEN, Recipe(), n_fold=3)
    done: list[int] = []
    found = compare(DOZEN, trained.folds, trained.fold_of, report=done.append)
    assert list(range(1, 13)) == done
    assert (12, 24) == (found.n_page, len(found.results))
    before, after = found.rows
    assert (BEFORE, AFTER) == (before.name, after.name)
    assert 0.99 < after.f1 <= 1 > before.f1
    assert abs(after.f1 - before.f1 - found.gain) < 1e-9
    assert (0, True) == (found.n_worse, found.is_sure)
    assert found.n_better > 6


def test_pages_without_fold_are_left_out() -> None:
    """Pages outside the folds are left out, as no model was trained without them."""
    trained = train(DOZEN[:6], Recipe(), n_fold=2)
    assert 6 == compare(DOZEN, trained.folds, trained.fold_of).n_page


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
