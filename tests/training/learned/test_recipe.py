"""The recipe as a whole: it learns a template, and holds out the sites of every fold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.training.learned.conftest import N_FOLD, Lesson
from thresher.algorithms.learned.choice import choose
from thresher.algorithms.learned.model import Model
from thresher.errors import UsageError
from thresher.evaluation.folds import fold_of
from thresher.training.learned import fit, recipe
from thresher.training.learned.batches import Encoded
from thresher.training.learned.recipe import Trained, train


def choose_from(model: Model, lesson: Lesson, place: int) -> tuple[float, float]:
    """Return the F1 of what a model keeps of a page, and how probably it has no content."""
    example = lesson.examples[place]
    output = model.judge(example.features, 0).run()
    weight = model.calibration.choice_weight(output.log_odds, 0)
    keep = choose(weight, example.features.words).keep
    empty = model.calibration.empty_probability(output.empty_score)
    return example.measure(keep), empty


def test_template_is_learned(lesson: Lesson, trained: Trained) -> None:
    """On sites it never saw, a fold's model finds the content, and the pages without any."""
    found = [
        choose_from(trained.folds[fold_of(example.page, N_FOLD)], lesson, place)
        for place, example in enumerate(lesson.examples)
    ]
    is_empty = np.array([example.is_empty for example in lesson.examples])
    f1, empty = np.array(found).T
    assert f1[~is_empty].mean() > 0.9
    assert empty[is_empty].min() > empty[~is_empty].max()


def test_model_of_all_pages_is_calibrated(lesson: Lesson, trained: Trained) -> None:
    """It finds the content too, and its numbers are not those it was born with."""
    f1 = [choose_from(trained.model, lesson, place)[0] for place in range(4)]
    assert np.mean(f1) > 0.9
    calibration = trained.model.calibration
    assert calibration.expected.size > 2
    assert calibration.empty_slope != recipe._UNCALIBRATED.empty_slope
    assert (np.diff(calibration.reached) >= 0).all()


def test_fold_is_not_learned_from(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model of each fold sees all sites but those of its fold; the last one sees all."""
    monkeypatch.setattr(fit, "N_EPOCH", 1)
    seen: list[set[str]] = []

    def note(pages: Sequence[Encoded], n_token: int, *, seed: int) -> object:
        seen.append({page.example.site for page in pages})
        return fit.fit_network(pages, n_token, seed=seed)

    monkeypatch.setattr(recipe, "fit_network", note)
    n_fold = 3
    found = train(lesson.examples, n_fold=n_fold, n_network=1)
    sites = {example.site for example in lesson.examples}
    for fold in range(n_fold):
        own = {each.site for each in lesson.examples if fold_of(each.page, n_fold) == fold}
        assert sites - own == seen[fold]
    assert [sites] == seen[n_fold:]
    assert n_fold == len(found.folds)


def test_training_is_the_same_when_repeated(
    lesson: Lesson, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The same pages give the same file, whatever ran before, and with how many threads."""
    monkeypatch.setattr(fit, "N_EPOCH", 1)
    for n_thread, name in ((1, "one.npz"), (2, "two.npz")):
        torch.set_num_threads(n_thread)
        train(lesson.examples, n_fold=2, n_network=1).model.save(tmp_path / name)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    assert 1 == torch.get_num_threads()


def test_training_is_the_same_when_shared_out(
    lesson: Lesson, trained: Trained, tmp_path: Path
) -> None:
    """Several processes train the same models, in the same order."""
    shared = train(lesson.examples, n_fold=N_FOLD, n_network=1, n_job=2)
    for model, same in zip(
        (trained.model, *trained.folds), (shared.model, *shared.folds), strict=True
    ):
        for name, each in (("one.npz", model), ("two.npz", same)):
            each.save(tmp_path / name)
        assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


@pytest.mark.parametrize("n_fold", [-1, 0, 1])
def test_folds_are_at_least_two(lesson: Lesson, n_fold: int) -> None:
    """With one fold, no page would be held out."""
    with pytest.raises(UsageError, match=f"folds must be 2 or more, not {n_fold}"):
        train(lesson.examples, n_fold=n_fold)


def test_sites_are_enough_for_the_folds(lesson: Lesson) -> None:
    """A fold without a page could neither be held out nor measured."""
    with pytest.raises(UsageError, match="of too few sites for 50 folds"):
        train(lesson.examples, n_fold=50)
    with pytest.raises(UsageError, match="of too few sites for 2 folds"):
        train(lesson.examples[:2], n_fold=2)
    with pytest.raises(UsageError, match="of too few sites for 2 folds"):
        train([], n_fold=2)
