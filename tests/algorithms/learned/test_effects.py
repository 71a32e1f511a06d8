"""Effects: how much each input adds to the log-odds of a block."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from tests.algorithms.learned.models import (
    COLUMN,
    PAGE,
    features_of,
    make_model,
    make_network,
    watch_feature,
)
from thresher.algorithms.learned.model import Model
from thresher.algorithms.learned.network import CLIP
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.reasons import Effects
from thresher.features import FEATURES
from thresher.page.parse import parse


def effects_of(model: Model) -> Effects:
    return Effects(parse(PAGE), model, 0)


def test_every_input_is_named_once() -> None:
    """All features, page types and names are listed once, the largest effect first."""
    told = effects_of(make_model())(0)
    names = [effect.feature for effect in told]
    assert {feature.name for feature in FEATURES} <= set(names)
    assert {f"type_{name}" for name in PAGE_TYPES} <= set(names)
    assert "names" in names
    assert len(set(names)) == len(names) == len(FEATURES) + len(PAGE_TYPES) + 1
    sizes = [abs(effect.log_odds) for effect in told]
    assert sorted(sizes, reverse=True) == sizes
    assert sizes[0] > 0


def test_values_are_those_of_the_block() -> None:
    """A feature has its value, a page type its probability, and names have None."""
    effects = effects_of(make_model())
    for block in (0, 5):
        value_of = {effect.feature: effect.value for effect in effects(block)}
        assert value_of.pop("names") is None
        types = [value_of.pop(f"type_{name}") for name in PAGE_TYPES]
        assert effects.inference.types.tolist() == types
        values = effects.inference.features.values[block]
        assert {name: float(values[column]) for name, column in COLUMN.items()} == value_of


def test_effects_equal_the_difference_that_hiding_makes() -> None:
    """The log-odds without an input plus its effect are the log-odds with it."""
    effects = effects_of(make_model())
    whole = effects.inference.run()
    for name in ("words", "in_nav", "page_words"):
        without = effects.inference.run(hide=COLUMN[name])
        added = [
            next(effect.log_odds for effect in effects(block) if effect.feature == name)
            for block in range(len(whole))
        ]
        assert (whole - without).tolist() == added


def test_unused_input_has_no_effect() -> None:
    """If a single feature decides, it has the whole effect, and the others none."""
    model = make_model(network=watch_feature("words", low=0, high=6))
    effects = effects_of(model)
    log_odds = effects.inference.run()
    for block in range(len(log_odds)):
        first, *others = effects(block)
        assert "words" == first.feature or log_odds[block] == pytest.approx(0, abs=0.1)
        assert log_odds[block] == pytest.approx(first.log_odds, abs=2 * CLIP / 255)
        assert not any(effect.log_odds for effect in others)


def test_input_at_its_mean_has_no_effect() -> None:
    """An input at its mean has no effect."""
    network = make_network()
    features = features_of()
    column = COLUMN["page_words"]
    mean, bend = network.mean.copy(), network.saturation.copy()
    mean[column], bend[column] = features.values[0, column], 0
    effects = effects_of(make_model(network=replace(network, mean=mean, saturation=bend)))
    of_page = [effect for effect in effects(0) if effect.feature == "page_words"]
    assert [0.0] == [effect.log_odds for effect in of_page]


def test_effects_survive_pickling() -> None:
    """Effects can be pickled."""
    effects = effects_of(make_model())
    assert effects(3) == pickle.loads(pickle.dumps(effects))(3)


def test_effects_are_computed_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Effects are computed at the first use, and only once."""
    calls = []
    run = type(make_network()).run

    def count(*args: object, **options: object) -> object:
        calls.append(options)
        return run(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("thresher.algorithms.learned.network.Network.run", count)
    effects = effects_of(make_model())
    assert not calls
    effects(0)
    n_call = len(calls)
    assert len(FEATURES) + len(PAGE_TYPES) + 2 == n_call
    effects(1)
    assert n_call == len(calls)
    assert np.isfinite([effect.log_odds for effect in effects(2)]).all()
