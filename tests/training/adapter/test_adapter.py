"""An adapter is fitted to the pages of one site, and its recipe says how."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.training.adapter.labelled import make_page, make_pages
from thresher.algorithms.learned import SHIPPED_MODEL
from thresher.algorithms.learned.adapter import KINDS
from thresher.algorithms.learned.model import Model
from thresher.errors import UsageError
from thresher.features import FEATURES
from thresher.training.adapter import fit
from thresher.training.adapter.fit import AdapterExample, Recipe, adapt, make_examples, weigh
from thresher.training.adapter.recipe import (
    AFTER,
    BEFORE,
    Progress,
    advise,
    compare,
    train,
    write_card,
)

BASE = Model.load(SHIPPED_MODEL)
EXAMPLES = [each for each in make_examples(make_pages(20), BASE) if each]
SEEN, HELD_OUT = EXAMPLES[:16], EXAMPLES[16:]
BYLINE, STORY = 3, 4


def make_example(**changes: object) -> AdapterExample | None:
    page = replace(make_page(1), **changes)  # type: ignore[arg-type]
    return next(iter(make_examples([page], BASE)))


def test_example_of_a_page() -> None:
    """Blocks in the label have a share of 1, other blocks 0; the site is that of the page."""
    example = make_example()
    assert example is not None
    assert ("valley", "1", "valley1.example") == (example.corpus, example.id, example.site)
    assert [0, 0, 0, 1, 1, 1, 1, 1, 0] == example.share.round().tolist()
    assert (9, len(FEATURES)) == example.standard.shape
    assert example.of_network[4] > 0 > example.of_network[0]


def test_measure_of_a_choice() -> None:
    """The label itself scores 1; a part of it has a precision of 1 and a lower recall."""
    example = make_example()
    assert example is not None
    assert (1, 1, 1) == pytest.approx(example.measure(example.share.astype(float), beta=1))
    few = np.where(np.arange(9) == 4, 1.0, 0.0)
    score = example.measure(few, beta=1)
    assert 1 == score.precision
    assert 0 < score.recall < 0.5


def test_no_example_where_the_label_is_of_another_page() -> None:
    """A page that does not contain its label gives no example."""
    assert make_example(text="Something else altogether, from quite another place") is None
    assert make_example(html="") is None


def test_pages_of_no_content_and_of_no_label() -> None:
    """An empty label gives an example in which no block is content, no label gives none."""
    example = make_example(text="")
    assert example is not None
    assert 0 == example.n_gold == float(example.share.sum())
    assert [] == list(make_examples([replace(make_page(1), text=None)], BASE))


def f1(model: Model, examples: list[AdapterExample]) -> float:
    scores = [example.measure(weigh(model, example), beta=1).f1 for example in examples]
    return sum(scores) / len(scores)


@pytest.mark.parametrize("kind", KINDS)
def test_labelled_bylines_are_learned(kind: str) -> None:
    """Bylines are kept on new pages if the labels include them."""
    assert f1(BASE, HELD_OUT) < 0.99
    assert f1(adapt(BASE, SEEN, Recipe(kind)), HELD_OUT) > 0.99


@pytest.mark.slow
def test_same_pages_give_the_same_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Training is deterministic."""
    monkeypatch.setattr(fit, "N_STEP", 50)
    first, second = (adapt(BASE, SEEN, Recipe("mlp")) for _ in range(2))
    assert first.adapter is not None
    assert second.adapter is not None
    assert first.adapter.own_hidden.tobytes() == second.adapter.own_hidden.tobytes()
    assert first.adapter.own_output.tobytes() == second.adapter.own_output.tobytes()


def test_few_pages_change_little() -> None:
    """A single page changes the shipped model less than many pages do."""
    one, many = (adapt(BASE, SEEN[:n], Recipe()) for n in (1, 16))
    before = weigh(BASE, HELD_OUT[0])[BYLINE]
    assert before < weigh(one, HELD_OUT[0])[BYLINE] < weigh(many, HELD_OUT[0])[BYLINE]


def test_from_scratch_ignores_the_network() -> None:
    """A model trained from scratch does not use the network's log-odds."""
    model = adapt(BASE, SEEN, Recipe(from_scratch=True))
    assert model.adapter is not None
    assert 0 == float(model.adapter.own_start)
    assert 0 == model.adapter.own_output[-2]
    assert weigh(model, HELD_OUT[0])[STORY] > 0.5 > weigh(model, HELD_OUT[0])[0]


def test_weight_of_false_positives_is_a_beta() -> None:
    """False positives of weight 4 give a β of 1/2, and do not change probabilities."""
    recipe = Recipe(false_positive_weight=4)
    assert 0.5 == recipe.beta
    model = adapt(BASE, SEEN, recipe)
    assert 0.5 == model.beta
    assert weigh(model, HELD_OUT[0])[STORY] > 0.7


@pytest.mark.parametrize(
    "wrong", [{"kind": "forest"}, {"false_positive_weight": 0}, {"false_positive_weight": 1000}]
)
def test_invalid_recipe_is_rejected(wrong: dict[str, object]) -> None:
    """An unknown kind or an invalid weight raises UsageError."""
    with pytest.raises(UsageError, match="must be"):
        Recipe(**wrong)  # type: ignore[arg-type]


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
    """Pages of one site share a fold; if there is a single site, it is divided page by page."""
    pages = [
        replace(page, url=f"https://www.valley{place % 3}.example/{place}")
        for place, page in enumerate(PAGES[:9])
    ]
    trained = train(pages, Recipe(), n_fold=3)
    folds = [trained.fold_of["valley", page.id] for page in pages]
    assert folds[:3] * 3 == folds
    assert 3 == len(set(folds))
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
    """Each page of a fold is extracted twice; the gain is the mean difference of the pairs."""
    trained = train(DOZEN[:6], Recipe(), n_fold=2)
    assert 6 == compare(DOZEN, trained.folds, trained.fold_of).n_page
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
