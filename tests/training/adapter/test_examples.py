"""Labelled pages become what a perceptron learns from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.training.adapter.labelled import make_page
from thresher.algorithms.learned import SHIPPED_MODEL
from thresher.algorithms.learned.model import Model
from thresher.features import FEATURES
from thresher.training.adapter.examples import AdapterExample, make_examples

BASE = Model.load(SHIPPED_MODEL)


def make_example(**changes: object) -> AdapterExample | None:
    page = replace(make_page(1), **changes)  # type: ignore[arg-type]
    return next(iter(make_examples([page], BASE)))


def test_example_of_a_page() -> None:
    """Blocks of the label have a share of 1, the others of 0; the site is the page's."""
    example = make_example()
    assert example is not None
    assert ("valley", "1", "valley1.example") == (example.corpus, example.id, example.site)
    assert [0, 0, 0, 1, 1, 1, 1, 1, 0] == example.share.round().tolist()
    assert (9, len(FEATURES)) == example.standard.shape
    assert example.of_network[4] > 0 > example.of_network[0]


def test_measure_of_a_choice() -> None:
    """The label itself scores 1; half of its words, precision 1 and less recall."""
    example = make_example()
    assert example is not None
    assert (1, 1, 1) == pytest.approx(example.measure(example.share.astype(float), beta=1))
    few = np.where(np.arange(9) == 4, 1.0, 0.0)
    score = example.measure(few, beta=1)
    assert 1 == score.precision
    assert 0 < score.recall < 0.5


def test_no_example_where_the_label_is_of_another_page() -> None:
    """A label that the page does not hold teaches nothing."""
    assert make_example(text="Something else altogether, from quite another place") is None
    assert make_example(html="") is None


def test_example_of_a_page_without_content() -> None:
    """An empty label is one: nothing on the page is content."""
    example = make_example(text="")
    assert example is not None
    assert 0 == example.n_gold == float(example.share.sum())


def test_pages_without_label_are_passed_over() -> None:
    """Nobody looked at them."""
    assert [] == list(make_examples([replace(make_page(1), text=None)], BASE))
