"""Weights fitted to a few pages change the shipped model where the labels require it."""

from __future__ import annotations

from dataclasses import replace

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


def test_example_of_a_page_without_content() -> None:
    """An empty label gives an example in which no block is content."""
    example = make_example(text="")
    assert example is not None
    assert 0 == example.n_gold == float(example.share.sum())


def test_pages_without_label_are_skipped() -> None:
    """A page without a label gives no example."""
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
