"""Fitting the decider: trials of pages, and a network that learns which blocks are kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.training.learned.conftest import Lesson
from tests.training.learned.test_calibrate import predict_label
from thresher.algorithms.learned.context import N_INPUT, describe_context
from thresher.algorithms.learned.decide import choose
from thresher.algorithms.learned.decider import Decider
from thresher.roles import ROLES
from thresher.training.learned.calibrate import HeldOutPage
from thresher.training.learned.deciding import (
    DecisionTrial,
    _weigh,
    calibrate_deciders,
    fit_decider,
    make_trials,
)
from thresher.training.learned.examples import scope_of

BODY, TITLE, COMMENT = (ROLES.index(name) for name in ("body", "title", "comment"))


def draw(count: int, seed: int = 0) -> list[DecisionTrial]:
    """Draw trials in which blocks are content where one of their inputs is positive."""
    random = np.random.default_rng(seed)
    trials = []
    for place in range(count):
        inputs = random.normal(size=(12, N_INPUT)).astype(np.float32)
        nothing = np.zeros(12, np.bool_)
        about = (place, f"mill{place}.example", 0, False)
        words = random.integers(1, 30, 12)
        trials.append(DecisionTrial(*about, inputs, words, inputs[:, 3] > 0, ~nothing, nothing))
    return trials


def arrays_of(decider: Decider) -> list[bytes]:
    weights = decider.decider_first, decider.decider_second, decider.decider_output
    return [array.tobytes() for array in (decider.decider_mean, *weights)]


@pytest.fixture(scope="module")
def pages(lesson: Lesson) -> list[HeldOutPage]:
    return [predict_label(example, 1.5) for example in lesson.examples]


def test_every_page_is_tried(pages: list[HeldOutPage]) -> None:
    """Each page is tried under `auto` and under the scope of its label."""
    trials = make_trials(pages)
    expected = [
        (place, scope)
        for place, page in enumerate(pages)
        for scope in sorted({0, scope_of(page.example.page)})
    ]
    assert expected == [(trial.page, trial.scope) for trial in trials]
    assert [pages[trial.page].example.site for trial in trials] == [each.site for each in trials]


def test_trials_describe_the_blocks(pages: list[HeldOutPage]) -> None:
    """The inputs of a trial are the context of each block under its scope."""
    for trial in make_trials(pages)[:4]:
        expected = describe_context(pages[trial.page].scores(trial.scope))
        assert expected.astype(np.float32).tolist() == trial.inputs.tolist()


def test_annotated_roles_say_what_is_content(pages: list[HeldOutPage]) -> None:
    """On pages with annotated roles these decide, comments on forums alone; titles by the text."""
    page = next(each for each in pages if each.example.n_gold)
    assert page.example.weight[0]
    role = np.full(page.example.role.size, BODY, np.int8)
    role[:2] = TITLE, COMMENT
    for kind, is_gold in (("article", False), ("forum", True)):
        labelled = replace(page.example.page, page_type=kind)
        example = replace(page.example, role=role, role_trust=1.0, page=labelled)
        trial = make_trials([replace(page, example=example)])[0]
        assert trial.has_roles
        assert [page.example.share[0] >= 0.5, is_gold, True] == trial.is_gold[:3].tolist()
        assert trial.is_judged[:3].all()
        example = replace(example, page=replace(labelled, text=None))
        assert not make_trials([replace(page, example=example)])[0].is_judged[0]


def test_texts_say_what_is_content_elsewhere(pages: list[HeldOutPage]) -> None:
    """Where no roles are annotated, the text says what is content, and all but copies count."""
    page = next(each for each in pages if each.example.n_gold)
    example = replace(page.example, role_trust=0.2)
    trial = make_trials([replace(page, example=example)])[0]
    assert (example.share >= 0.5).tolist() == trial.is_gold.tolist()
    assert (example.weight > 0).tolist() == trial.is_judged.tolist()


def test_content_is_learned() -> None:
    """On new pages, nearly all blocks are decided rightly."""
    decider = fit_decider(draw(600))
    right = [
        ((decider.weigh(trial.inputs.astype(np.float64)) >= 0) == trial.is_gold).mean()
        for trial in draw(100, seed=1)
    ]
    assert np.mean(right) > 0.95


def test_blocks_that_do_not_count_teach_nothing() -> None:
    """Labels of blocks that are not judged, or excluded, do not change the weights."""
    trials = draw(70)
    odd = np.arange(12) % 2 == 1
    for name in ("is_judged", "is_excluded"):
        shown = [replace(each, **{name: odd}) for each in trials]
        hidden = odd if name == "is_excluded" else ~odd
        turned = [replace(each, is_gold=each.is_gold ^ hidden) for each in shown]
        assert arrays_of(fit_decider(shown)) == arrays_of(fit_decider(turned))


def test_weights_follow_from_the_trials() -> None:
    """Equal trials give equal weights, others give others; a constant input divides by no zero."""
    trials = draw(70)
    one, same, other = (fit_decider(each) for each in (trials, trials, trials[:-1]))
    assert arrays_of(one) == arrays_of(same)
    assert arrays_of(one) != arrays_of(other)
    trials = draw(5)
    for trial in trials:
        trial.inputs[:, 7] = 4
    assert np.isfinite(fit_decider(trials).weigh(trials[0].inputs.astype(np.float64))).all()


def test_confidence_is_the_mean_f1_reached(pages: list[HeldOutPage]) -> None:
    """Confidence rises, and its mean over pages is the mean F1 of their decisions."""
    trials = make_trials(pages)
    parts = [trials[::2], trials[1::2]]
    deciders = [fit_decider(part) for part in parts[::-1]]
    found = calibrate_deciders(deciders, parts, pages)
    reached = found["decider_reached"]
    assert (np.diff(found["decider_knots"]) >= 0).all()
    assert (np.diff(reached) >= 0).all()
    actual = []
    for decider, part in zip(deciders, parts, strict=True):
        for trial in part:
            if trial.scope == 0 and not trial.is_empty:
                keep = choose(trial.weigh(decider), trial.words).keep & ~trial.is_excluded
                actual.append(pages[trial.page].example.measure(keep))
    assert reached.min() - 1e-9 <= np.mean(actual) <= reached.max() + 1e-9


def test_calibration_is_fitted_to_auto_only(pages: list[HeldOutPage]) -> None:
    """Trials under other scopes affect neither the confidence nor when a page is empty."""
    trials = make_trials(pages)
    decider = fit_decider(trials)
    of_auto = [trial for trial in trials if trial.scope == 0]
    alone, beside = (calibrate_deciders([decider], [part], pages) for part in (of_auto, trials))
    for name, fitted in alone.items():
        assert fitted.tolist() == beside[name].tolist()


def test_empty_pages_are_more_probably_empty(pages: list[HeldOutPage]) -> None:
    """Pages that are labelled as empty get higher probabilities of being empty than others."""
    trials = [trial for trial in make_trials(pages) if trial.scope == 0]
    decider = fit_decider(trials)
    decider = replace(decider, **calibrate_deciders([decider], [trials], pages))
    told: dict[bool, list[float]] = {True: [], False: []}
    for trial in trials:
        told[trial.is_empty].append(decider.empty_probability(trial.weigh(decider), trial.words))
    assert min(told[True]) > max(told[False])


def test_trials_are_weighted() -> None:
    """Pages of large sites weigh less, those with annotated roles and under `auto` more."""
    trial = draw(1)[0]
    alone = float(_weigh([trial])[0])
    assert alone == _weigh([replace(trial, site=str(n)) for n in range(4)])[0]
    assert _weigh([trial] * 4)[0] < alone
    assert _weigh([replace(trial, has_roles=True)])[0] > alone
    assert _weigh([replace(trial, scope=1)])[0] < alone
