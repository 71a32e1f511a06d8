"""The linear model of page types: training and use."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch")

from tests.training.learned.conftest import Lesson
from tests.training.learned.pages import prepare
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.evaluation.folds import fold_of
from thresher.training.learned import encoding
from thresher.training.learned.encoding import cross_predict, fit_page_types, predict_page_type
from thresher.training.learned.examples import Example


def forget_type(example: Example) -> Example:
    return replace(example, page=replace(example.page, page_type=None))


@pytest.fixture
def strong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a few pages as effective as many by weaker regularisation."""
    monkeypatch.setattr(encoding, "STRENGTH", 1.0)


@pytest.mark.usefixtures("strong")
def test_types_are_predicted(lesson: Lesson) -> None:
    """The most probable type of each training page is its own."""
    model = fit_page_types(lesson.examples, lesson.encoding)
    for example in lesson.examples:
        found = predict_page_type(model, example, lesson.encoding)
        assert example.page_type == found.argmax()


@pytest.mark.usefixtures("strong")
def test_types_are_predicted_without_declarations(lesson: Lesson) -> None:
    """Types are predicted without declarations, which half of the training omits."""
    model = fit_page_types(lesson.examples, lesson.encoding)
    right = 0
    for example in lesson.examples:
        silent = replace(example.features, declared=np.zeros(0, np.uint64))
        found = predict_page_type(model, replace(example, features=silent), lesson.encoding)
        right += example.page_type == found.argmax()
    assert right > 0.9 * len(lesson.examples)


def test_predictions_are_held_out(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    """Types of each page are predicted by a model of the other folds, in the order of pages."""
    fitted = []
    fit = encoding.fit_page_types

    def note(examples: list[Example], *args: object) -> object:
        fitted.append({fold_of(example.page, 3) for example in examples})
        return fit(examples, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(encoding, "fit_page_types", note)
    found = cross_predict(lesson.examples, lesson.encoding, n_fold=3)
    assert [{1, 2}, {0, 2}, {0, 1}] == fitted
    rest = [example for example in lesson.examples if fold_of(example.page, 3) != 1]
    model = fit(rest, lesson.encoding)
    for own, example in zip(found, lesson.examples, strict=True):
        if fold_of(example.page, 3) == 1:
            assert predict_page_type(model, example, lesson.encoding).tolist() == own.tolist()


def test_pages_without_type_are_ignored(lesson: Lesson) -> None:
    """Pages without a type change nothing; if there are no others, all types are equal."""
    nobody = [forget_type(example) for example in lesson.examples]
    some, all_of_them = (
        fit_page_types(examples, lesson.encoding)
        for examples in (lesson.examples[:20], [*lesson.examples[:20], *nobody[20:]])
    )
    assert some.type_token_weights.tolist() == all_of_them.type_token_weights.tolist()
    blank = fit_page_types(nobody, lesson.encoding)
    found = predict_page_type(blank, lesson.examples[0], lesson.encoding)
    assert 1 == len(set(found.tolist()))
    assert (len(lesson.examples), len(PAGE_TYPES)) == cross_predict(
        nobody, lesson.encoding, n_fold=3
    ).shape


def test_unknown_names_have_no_weight() -> None:
    """The weight of unknown names is 0, as in the shipped model."""
    examples, encoding = prepare(16)
    model = fit_page_types(examples, encoding)
    assert (encoding.vocabulary.size + 1, len(PAGE_TYPES)) == model.type_token_weights.shape
    assert not model.type_token_weights[-1].any()
    assert model.type_token_weights[:-1].any()
