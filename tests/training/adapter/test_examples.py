"""Labelled pages become training examples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.training.adapter.labelled import make_page
from thresher.algorithms.learned import SHIPPED_MODEL
from thresher.algorithms.learned.model import Model
from thresher.features import FEATURES
from thresher.training.adapter.fit import AdapterExample, make_examples

BASE = Model.load(SHIPPED_MODEL)


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


def test_example_of_a_page_without_content() -> None:
    """An empty label gives an example in which no block is content."""
    example = make_example(text="")
    assert example is not None
    assert 0 == example.n_gold == float(example.share.sum())


def test_pages_without_label_are_skipped() -> None:
    """A page without a label gives no example."""
    assert [] == list(make_examples([replace(make_page(1), text=None)], BASE))
