"""The whole recipe learns the template of a site, and holds out the sites of every fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.algorithms.learned.models import make_model
from tests.training.learned.conftest import N_FOLD, Lesson
from thresher.algorithms.learned.decide import choose, decide
from thresher.algorithms.learned.model import Model
from thresher.errors import UsageError
from thresher.evaluation.folds import fold_of
from thresher.roles import SCOPES
from thresher.training.learned import deciding, fit, recipe
from thresher.training.learned.network import Encoded
from thresher.training.learned.recipe import (
    TrainedModel,
    digest_recipe,
    load_checkpoint,
    measure_roles,
    save_checkpoint,
    train,
)


@pytest.fixture
def one_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train each network for one epoch, where what it learns is not looked at."""
    for module, name in ((fit, "N_EPOCH"), (deciding, "_N_EPOCH")):
        monkeypatch.setattr(module, name, 1)


def weights_of(model: Model, folder: Path) -> bytes:
    """Return the bytes of a model's file."""
    model.save(folder / "weights.npz")
    return (folder / "weights.npz").read_bytes()


def choose_from(model: Model, lesson: Lesson, place: int) -> float:
    """Return the F1 of the blocks that a model's network would keep."""
    example = lesson.examples[place]
    weight = model.calibration.choice_weight(model.prepare(example.features, 0).run(), 0)
    return example.measure(choose(weight, example.features.words).keep)


def test_model_of_all_pages_is_calibrated(lesson: Lesson, trained: TrainedModel) -> None:
    """The model of all pages finds the content and is calibrated."""
    f1 = [choose_from(trained.model, lesson, place) for place in range(4)]
    assert np.mean(f1) > 0.9
    calibration = trained.model.calibration
    assert calibration.expected.size > 2
    assert trained.model.decider is not None
    assert trained.model.decider.decider_empty.all()
    assert (np.diff(calibration.reached) >= 0).all()


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """The sites of the pages that each network for content is fitted to."""
    seen: list[set[str]] = []

    def note(pages: Sequence[Encoded], n_token: int, *, seed: int) -> object:
        seen.append({page.example.site for page in pages})
        return fit.fit_network(pages, n_token, seed=seed)

    monkeypatch.setattr(recipe, "fit_network", note)
    return seen


@pytest.mark.slow
@pytest.mark.usefixtures("one_epoch")
def test_folds_are_held_out(lesson: Lesson, fitted: list[set[str]]) -> None:
    """The model of a fold is trained on all sites but those of its fold, the last model on all."""
    n_fold = 3
    found = train(lesson.examples, n_fold=n_fold)
    sites = {example.site for example in lesson.examples}
    for fold in range(n_fold):
        own = {each.site for each in lesson.examples if fold_of(each.page, n_fold) == fold}
        assert sites - own == fitted[fold]
    assert [sites] == fitted[n_fold:]
    assert n_fold == len(found.folds)


@pytest.mark.slow
@pytest.mark.usefixtures("one_epoch")
def test_training_is_the_same_when_repeated(lesson: Lesson, tmp_path: Path) -> None:
    """Training is deterministic, regardless of previous work and of the number of threads."""
    weights = set()
    for n_thread in (1, 2):
        torch.set_num_threads(n_thread)
        weights.add(weights_of(train(lesson.examples, n_fold=2).model, tmp_path))
    assert 1 == len(weights) == torch.get_num_threads()


@pytest.mark.slow
def test_training_is_the_same_in_processes(
    lesson: Lesson, trained: TrainedModel, tmp_path: Path
) -> None:
    """Several processes train the same models, in the same order."""
    shared = train(lesson.examples, n_fold=N_FOLD, n_job=2)
    alone, same = (
        [weights_of(model, tmp_path) for model in (one.model, *one.folds)]
        for one in (trained, shared)
    )
    assert alone == same


@pytest.mark.slow
def test_deciders_are_learned(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every model has its own decider, which has an F1 above 0.9 on new sites."""
    monkeypatch.setattr(fit, "N_EPOCH", 40)
    monkeypatch.setattr(deciding, "_N_EPOCH", 200)
    trained = train(lesson.examples, n_fold=N_FOLD)
    models = trained.model, *trained.folds
    firsts = {model.decider.decider_first.tobytes() for model in models if model.decider}
    assert len(models) == len(firsts)
    reached, stated = [], []
    for page in trained.held_out:
        if not page.example.n_gold:
            continue
        model = trained.folds[fold_of(page.example.page, N_FOLD)]
        decision = decide(model, page.scores(0), 1.0)
        reached.append(page.example.measure(decision.keep))
        stated.append(decision.confidence)
    assert np.mean(reached) > 0.9
    assert np.mean(reached) == pytest.approx(np.mean(stated), abs=0.1)


def test_roles_are_learned(lesson: Lesson, trained: TrainedModel) -> None:
    """Annotated roles are compared with predictions of models trained without the page's site."""
    agreement = measure_roles(trained.held_out)
    n_block = sum(each.role.size for each in lesson.examples if each.role_trust == 1)
    assert (len(lesson.examples) // 2, n_block) == (agreement.n_page, agreement.pairs.sum())
    assert agreement.kappa > 0.8


@pytest.mark.usefixtures("one_epoch")
def test_no_role_network_without_annotated_roles(lesson: Lesson) -> None:
    """Without role labels a model has no role network."""
    examples = [replace(example, role_trust=0.2) for example in lesson.examples]
    found = train(examples, n_fold=2)
    assert found.model.roles is None
    assert 0 == measure_roles(found.held_out).n_page


def test_held_out_pages_are_in_order(lesson: Lesson, trained: TrainedModel) -> None:
    """Held-out pages are in order, each with log-odds under every scope."""
    examples = [page.example for page in trained.held_out]
    assert [each.page for each in lesson.examples] == [each.page for each in examples]
    for page in trained.held_out:
        n_block = len(page.example.features.words)
        assert [("float64", (n_block,))] * len(SCOPES) == [
            (each.dtype.name, each.shape) for each in page.log_odds
        ]
        assert 1 == pytest.approx(page.types.sum(), abs=0.06)


def test_excluded_comments_have_the_lowest_log_odds(lesson: Lesson, trained: TrainedModel) -> None:
    """Comments that a scope excludes have log-odds of −30, so that no cut keeps them."""
    example = next(each for each in lesson.examples if each.page.page_type == "article")
    comments = np.arange(len(example.features.words)) % 3 == 0
    page = recipe._read(trained.model, replace(example, comments=comments))
    for scope, name in enumerate(SCOPES):
        if name in ("auto", "article"):
            assert {-30.0} == set(page.log_odds[scope][comments].tolist())
            assert (page.log_odds[scope][~comments] > -30).all()


@pytest.mark.slow
@pytest.mark.usefixtures("one_epoch")
def test_training_resumes_from_checkpoints(
    lesson: Lesson, fitted: list[set[str]], tmp_path: Path
) -> None:
    """A resumed run loads all checkpoints and gives the same model."""
    kept = tmp_path / "kept"
    kept.mkdir()
    first, second = (train(lesson.examples, n_fold=2, keep=kept) for _ in range(2))
    digest = digest_recipe(lesson.examples, 2, 1, recipe.SEED)
    names = [f"{digest}-{fold}.pickle" for fold in (0, 1, None)]
    assert names == sorted(file.name for file in kept.iterdir())
    assert 3 == len(fitted)
    assert weights_of(first.model, tmp_path) == weights_of(second.model, tmp_path)
    (kept / names[0]).unlink()
    train(lesson.examples, n_fold=2, keep=kept)
    assert 4 == len(fitted)


def test_too_few_folds_or_sites_are_rejected(lesson: Lesson) -> None:
    """Fewer than two folds, or too few sites for them, raise UsageError: a fold would be empty."""
    for n_fold in (-1, 0, 1):
        with pytest.raises(UsageError, match=f"folds must be 2 or more, not {n_fold}"):
            train(lesson.examples, n_fold=n_fold)
    for examples, n_fold in ((lesson.examples, 50), (lesson.examples[:2], 2), ([], 2)):
        with pytest.raises(UsageError, match=f"of too few sites for {n_fold} folds"):
            train(examples, n_fold=n_fold)


def test_model_is_loaded_as_saved(tmp_path: Path) -> None:
    """A checkpoint has the whole model, and no temporary file remains; there may be none."""
    path, model = tmp_path / "model.pickle", make_model()
    assert load_checkpoint(path) is None
    save_checkpoint(path, model)
    assert [path] == list(tmp_path.iterdir())
    loaded = load_checkpoint(path)
    assert loaded is not None
    assert weights_of(model, tmp_path) == weights_of(loaded, tmp_path)


def test_digest_depends_on_pages_labels_and_settings(lesson: Lesson) -> None:
    """Other pages, roles, labels, folds, networks or seeds give another digest."""
    examples = lesson.examples
    silent = replace(examples[0], role=np.full_like(examples[0].role, -1))
    moved = replace(examples[0], share=1 - examples[0].share)
    others = examples[1:], [silent, *examples[1:]], [moved, *examples[1:]]
    settings = (2, 1, 7), (3, 1, 7), (2, 2, 7), (2, 1, 8)
    digests = [digest_recipe(examples, *each) for each in settings]
    digests += [digest_recipe(other, 2, 1, 7) for other in others]
    assert len(digests) == len(set(digests))
    assert digests[0] == digest_recipe(list(examples), 2, 1, 7)
