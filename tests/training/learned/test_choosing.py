"""Fitting the choice: trials of candidates, and a model that learns which one is best."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.training.learned.conftest import Lesson
from tests.training.learned.test_calibrate import predict_label
from thresher.algorithms.learned.candidates import CANDIDATES, N_INPUT, find_candidates
from thresher.algorithms.learned.chooser import Chooser
from thresher.algorithms.learned.decide import count_link_words
from thresher.training.learned.calibrate import HeldOutPage
from thresher.training.learned.choosing import (
    CandidateTrial,
    _weigh,
    fit_chooser,
    make_trials,
    set_confidence,
)
from thresher.training.learned.examples import scope_of


def draw(count: int, seed: int = 0) -> list[CandidateTrial]:
    """Draw trials in which the F1 of a candidate rises with one of its inputs."""
    random = np.random.default_rng(seed)
    trials = []
    for place in range(count):
        inputs = random.normal(size=(len(CANDIDATES), N_INPUT))
        reached = 1 / (1 + np.exp(-2 * inputs[:, 3]))
        about = (place, "news", f"mill{place}.example", None, 0)
        trials.append(CandidateTrial(*about, inputs, reached))
    return trials


def arrays_of(chooser: Chooser) -> list[bytes]:
    weights = chooser.chooser_first, chooser.chooser_second, chooser.chooser_output
    return [array.tobytes() for array in (chooser.chooser_mean, *weights)]


@pytest.fixture(scope="module")
def pages(lesson: Lesson) -> list[HeldOutPage]:
    return [predict_label(example, 1.5) for example in lesson.examples]


def test_candidates_of_every_page_are_tried(pages: list[HeldOutPage]) -> None:
    """Each page with content is tried under `auto` and under the scope of its label."""
    trials = make_trials(pages)
    expected = [
        (place, scope)
        for place, page in enumerate(pages)
        if not page.example.is_empty
        for scope in (0, scope_of(page.example.page))
    ]
    assert expected == [(trial.page, trial.scope) for trial in trials]
    for trial in trials:
        example = pages[trial.page].example
        assert (example.page.corpus, example.site) == (trial.corpus, trial.site)
        assert example.page.page_type == trial.page_type


def test_trials_have_inputs_and_f1(pages: list[HeldOutPage]) -> None:
    """A trial has the inputs of each candidate, and the F1 of keeping its blocks."""
    page = pages[0]
    trial = make_trials([page])[0]
    found = find_candidates(
        page.log_odds[0],
        page.example.features.words,
        count_link_words(page.example.features),
        page.types,
        empty_score=page.empty_score,
        scope=0,
    )
    assert found.inputs.tolist() == trial.inputs.tolist()
    reached = [page.example.measure(page.log_odds[0] >= cut) for cut in found.cut]
    assert reached == trial.reached.tolist()


def test_best_candidate_is_learned() -> None:
    """On new pages, the chosen candidate has nearly the F1 of the best one."""
    chooser = fit_chooser(draw(600))
    lost, told = [], []
    for trial in draw(200, seed=1):
        weighed = chooser.weigh_inputs(trial.inputs)
        lost.append(trial.reached.max() - trial.reached[weighed.chosen])
        told.append(np.abs(weighed.expected - trial.reached).mean())
    assert np.mean(lost) < 0.1
    assert np.mean(told) < 0.2


def test_same_trials_give_the_same_weights() -> None:
    """Equal trials give equal weights, and other trials give others."""
    trials = draw(70)
    one, same, other = (fit_chooser(each) for each in (trials, trials, trials[:-1]))
    assert arrays_of(one) == arrays_of(same)
    assert arrays_of(one) != arrays_of(other)


def test_constant_input_gives_finite_weights() -> None:
    """An input that is the same for all candidates does not divide by zero."""
    trials = draw(5)
    for trial in trials:
        trial.inputs[:, 7] = 4
    chooser = fit_chooser(trials)
    assert np.isfinite(chooser.weigh_inputs(trials[0].inputs).score).all()


def test_confidence_is_the_mean_f1_reached() -> None:
    """Confidence rises, and its mean over pages is the mean F1 of their choices."""
    trials = [replace(trial, reached=trial.reached / 2) for trial in draw(200)]
    parts = [trials[:100], trials[100:]]
    choosers = [fit_chooser(draw(200, seed=3)), fit_chooser(draw(200, seed=4))]
    knots, reached = set_confidence(choosers, parts)
    assert (np.diff(knots) >= 0).all()
    assert (np.diff(reached) >= 0).all()
    stated, actual = [], []
    for chooser, part in zip(choosers, parts, strict=True):
        own = replace(chooser, chooser_knots=knots, chooser_reached=reached)
        for trial in part:
            weighed = own.weigh_inputs(trial.inputs)
            stated.append(own.confidence(weighed))
            actual.append(trial.reached[weighed.chosen])
    assert np.mean(actual) == pytest.approx(np.mean(stated), abs=0.02)


def test_confidence_is_fitted_to_auto_only() -> None:
    """Trials under other scopes do not affect the confidence."""
    trials = draw(60)
    others = [replace(trial, scope=1, reached=np.zeros(len(CANDIDATES))) for trial in trials]
    chooser = fit_chooser(trials)
    alone, beside = (set_confidence([chooser], [part]) for part in (trials, [*trials, *others]))
    assert alone.tolist() == beside.tolist()


def test_trials_are_weighted() -> None:
    """Pages of large sites weigh less, rare page types and trials under `auto` more."""
    trial = draw(1)[0]
    alone = _weigh([trial])[0]
    of_many = _weigh([replace(trial, site=str(n)) for n in range(4)])[0]
    of_site = _weigh([trial] * 4)[0]
    assert 1 == alone > of_many > of_site
    forum, story = (
        replace(trial, corpus="wcxb_dev", page_type=kind) for kind in ("forum", "article")
    )
    assert _weigh([forum])[0] > _weigh([story])[0] == alone
    assert _weigh([replace(trial, scope=1)])[0] < alone
