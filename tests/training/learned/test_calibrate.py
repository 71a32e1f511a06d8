"""Calibration: probabilities, choices and confidence, fitted to held-out pages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from tests.training.learned.conftest import Lesson
from thresher.algorithms.learned.decide import choose
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.roles import ROLES, SCOPES
from thresher.training.learned import calibrate
from thresher.training.learned.calibrate import HeldOutPage, Reached, fit_calibration, try_choices
from thresher.training.learned.examples import Example, scope_of


def predict_label(example: Example, doubt: float, *, shift: float = 0.0) -> HeldOutPage:
    """Predict what the label of a page says, with normally distributed errors."""
    luck = np.random.default_rng(len(example.features.values))
    truth = np.where(example.share > 0.5, 2.0, -2.0)
    log_odds = truth + shift + doubt * luck.normal(size=truth.size)
    types = np.full(len(PAGE_TYPES), 1 / len(PAGE_TYPES))
    roles = luck.normal(size=(truth.size, len(ROLES))).astype(np.float32)
    return HeldOutPage(example, [log_odds] * len(SCOPES), types, roles)


@pytest.fixture(scope="module")
def pages(lesson: Lesson) -> list[HeldOutPage]:
    return [predict_label(example, 1.5) for example in lesson.examples]


def test_every_choice_is_tried(pages: list[HeldOutPage]) -> None:
    """Every slope and shift is tried on each page, under `auto` and the scope of its label."""
    reached = try_choices(pages)
    page, own = pages[0], scope_of(pages[0].example.page)
    slope, shift = calibrate._SLOPES[2], calibrate._SHIFTS[1]
    for scope in (0, own):
        probability = 1 / (1 + np.exp(-(page.log_odds[scope] * slope + shift)))
        choice = choose(probability.astype(np.float64), page.example.features.words)
        here = 0, scope, 2, 1
        assert choice.expected == pytest.approx(reached.expected[here], abs=1e-4)
        assert page.example.measure(choice.keep) == pytest.approx(reached.actual[here])
    untried = [scope for scope in range(len(SCOPES)) if scope not in (0, own)]
    assert not reached.actual[0, untried].any()


def test_best_choice_is_picked(pages: list[HeldOutPage]) -> None:
    """Each scope gets the slope and shift with the highest mean F1."""
    shape = (len(pages), len(SCOPES), len(calibrate._SLOPES), len(calibrate._SHIFTS))
    reached = Reached(np.full(shape, 0.5), np.zeros(shape))
    reached.actual[:, 0, 4, 3] = 1
    article, thread, page = (SCOPES.index(name) for name in ("article", "thread", "page"))
    reached.actual[:, article, 1, 2] = 1
    reached.actual[:, thread, 5, 0] = 1
    found = fit_calibration(pages, reached)
    # No page here is an example of `page`, which therefore has the choice of `auto`.
    best = {0: (4, 3), article: (1, 2), thread: (5, 0), page: (4, 3)}
    for scope, (slope, shift) in best.items():
        assert calibrate._SLOPES[slope] == found.choice_slope[scope]
        assert calibrate._SHIFTS[shift] == found.choice_shift[scope]


def test_pages_of_mixed_corpora_count_more(pages: list[HeldOutPage]) -> None:
    """If two pairs are best on half of the pages each, the one of the mixed corpus wins."""
    half = len(pages) // 2
    others = [
        replace(page, example=replace(page.example, page=replace(page.example.page, corpus="news")))
        for page in pages[half:]
    ]
    shape = (2 * half, len(SCOPES), len(calibrate._SLOPES), len(calibrate._SHIFTS))
    reached = Reached(np.full(shape, 0.5), np.zeros(shape))
    reached.actual[:half, 0, 5, 5] = 1
    reached.actual[half:, 0, 1, 1] = 1
    found = fit_calibration([*pages[:half], *others], reached)
    assert (calibrate._SLOPES[5], calibrate._SHIFTS[5]) == (
        found.choice_slope[0],
        found.choice_shift[0],
    )


def test_confidence_is_the_mean_f1_reached(pages: list[HeldOutPage]) -> None:
    """Mean confidence equals the mean F1 reached, and confidence rises with the expectation."""
    reached = try_choices(pages)
    found = fit_calibration(pages, reached)
    assert (np.diff(found.expected) >= 0).all()
    assert (np.diff(found.reached) >= 0).all()
    place = found.choice_slope[0], found.choice_shift[0]
    slope, shift = calibrate._SLOPES.index(place[0]), calibrate._SHIFTS.index(place[1])
    expected, actual = (each[:, 0, slope, shift] for each in reached)
    told = [found.confidence(each) for each in expected.tolist()]
    assert actual.mean() == pytest.approx(np.mean(told), abs=0.02)


def test_means_pooled_by_hand() -> None:
    """Falling neighbours are merged into their weighted mean until no mean falls."""
    found = calibrate._make_rise([(0.25, 1), (1.0, 1), (0.5, 3), (0.5, 1), (0.75, 2)])
    assert [0.25, 0.6, 0.6, 0.6, 0.75] == pytest.approx(found.tolist())


def fit_logistic(
    score: npt.ArrayLike, target: npt.ArrayLike, weight: float = 1.0
) -> tuple[float, float]:
    values = np.array(score, float)
    inputs, weights = np.stack((values, np.ones(values.size)), 1), np.full(values.size, weight)
    slope, shift = calibrate.fit_logistic(inputs, np.array(target, float), weights, (1.0, 0.0))
    return float(slope), float(shift)


@pytest.mark.parametrize("weight", [1e-4, 1.0, 1e4])
def test_fit_is_finite(weight: float) -> None:
    """The fit is finite if scores separate the classes perfectly, and if all targets are equal."""
    slope, shift = fit_logistic([-9, -8, -7, 7, 8, 9] * 9, [0, 0, 0, 1, 1, 1] * 9, weight)
    assert 0 < slope < 100
    assert abs(shift) < 1
    for target in (0.0, 1.0):
        slope, shift = fit_logistic([-1, 0, 1, 2], [target] * 4)
        assert np.isfinite([slope, shift]).all()
        assert (shift > 0) == (target > 0)


@pytest.mark.parametrize("weight", [0.01, 1.0, 100.0])
def test_fit_is_regularised(weight: float) -> None:
    """At the fit, the gradient of the data balances the pull towards slope 1 and shift 0."""
    score, target = np.array([-2.0, -1.0, 0.5, 3.0]), np.array([1.0, 0.0, 0.0, 1.0])
    slope, shift = fit_logistic(score, target, weight)
    wrong = weight * (1 / (1 + np.exp(-(slope * score + shift))) - target)
    pull = np.array([wrong @ score, wrong.sum()])
    assert [1 - slope, -shift] == pytest.approx((pull / calibrate._PRIOR_WEIGHT).tolist(), abs=1e-6)


@pytest.mark.parametrize(("slope", "shift"), [(0.5, 1.0), (2.0, -1.0)])
def test_fit_recovers_slope_and_shift(slope: float, shift: float) -> None:
    """Targets generated from a slope and a shift give them back."""
    score = np.linspace(-4, 4, 400)
    target = 1 / (1 + np.exp(-(slope * score + shift)))
    assert (slope, shift) == pytest.approx(fit_logistic(score, target), abs=0.1)


def test_constant_error_of_log_odds_is_corrected(lesson: Lesson) -> None:
    """Log-odds that are off by a constant give calibrated probabilities."""
    pages = [predict_label(example, 1.5, shift=3) for example in lesson.examples]
    found = fit_calibration(pages, try_choices(pages))
    assert (found.block_slope > 0).all()
    assert (found.block_shift < -1).all()
    share = np.mean([page.example.share @ page.example.weight for page in pages])
    told = np.mean(
        [found.block_probability(page.log_odds[0], 0) @ page.example.weight for page in pages]
    )
    assert share == pytest.approx(told, rel=0.1)
