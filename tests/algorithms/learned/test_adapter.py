"""The adapter of the network to a user's own labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.algorithms.learned.models import PAGE, features_of, make_model
from thresher.algorithms.learned import Params, select
from thresher.algorithms.learned.adapter import Adapter, gather_inputs
from thresher.algorithms.learned.model import Model
from thresher.algorithms.learned.reasons import Effects
from thresher.features import FEATURES
from thresher.page.parse import parse

N_INPUT = len(FEATURES) + 2
ONES, ZEROS = np.ones(4), np.zeros(4)


def make_adapter(*, start: float = 1.0, n_hidden: int = 0, seed: int = 3) -> Adapter:
    """Make small random weights."""
    random = np.random.default_rng(seed)
    hidden = random.normal(0, 0.1, (n_hidden, N_INPUT))
    output = random.normal(0, 0.1, n_hidden + 1 if n_hidden else N_INPUT)
    return Adapter(np.array(start), ONES, ZEROS, hidden, output)


def test_log_odds_equal_the_networks_when_nothing_was_learned() -> None:
    """Weights of 0 change nothing, except for rounding."""
    adapter = Adapter(np.array(1.0), 2 * ONES, ONES, np.zeros((0, N_INPUT)), np.zeros(N_INPUT))
    of_network = np.array([-1.5, 0.25], np.float32)
    standard = np.ones((2, len(FEATURES)), np.float32)
    assert [-2.0, 1.5] == adapter.log_odds(standard, of_network, 0).tolist()


@pytest.mark.parametrize("n_hidden", [0, 3])
def test_log_odds_ignore_the_network_from_scratch(n_hidden: int) -> None:
    """From scratch, the features alone decide."""
    adapter = make_adapter(start=0.0, n_hidden=n_hidden)
    standard = np.random.default_rng(1).normal(0, 1, (5, len(FEATURES))).astype(np.float32)
    first, second = (adapter.log_odds(standard, np.full(5, odds), 0) for odds in (-9.0, 9.0))
    assert first.tolist() == second.tolist()
    assert len(set(first.tolist())) > 1


def test_inputs_end_with_the_network_and_a_bias() -> None:
    """Inputs end with the network's log-odds, bounded at 30, and the bias."""
    inputs = gather_inputs(np.zeros((2, 3), np.float32), np.array([-99.0, 2.0]), start=1.0)
    assert [[0, 0, 0, -30, 1], [0, 0, 0, 2, 1]] == inputs.tolist()


@pytest.mark.parametrize(("n_hidden", "kind"), [(0, "perceptron"), (3, "mlp")])
def test_model_saved_and_read_back(tmp_path: Path, n_hidden: int, kind: str) -> None:
    """The adapter and β are saved and loaded unchanged."""
    model = replace(make_model(), adapter=make_adapter(n_hidden=n_hidden), beta=0.5)
    model.save(tmp_path / "own.npz")
    read = Model.load(tmp_path / "own.npz")
    assert (kind, 0.5) == (read.kind, read.beta)
    features = features_of()
    before, after = (each.prepare(features, 0).run() for each in (model, read))
    assert before.tolist() == after.tolist()
    assert make_model().prepare(features, 0).run().tolist() != after.tolist()


def test_shipped_kind_of_model() -> None:
    """The kind of a model without an adapter is the method's name."""
    assert ("learned", 1.0) == (make_model().kind, make_model().beta)


def test_effects_include_the_adapter() -> None:
    """Effects include the weights of the adapter."""
    output = np.zeros(N_INPUT)
    output[0] = 5.0
    adapter = Adapter(np.array(0.0), ONES, ZEROS, np.zeros((0, N_INPUT)), output)
    first = Effects(parse(PAGE), replace(make_model(), adapter=adapter), 0)(0)
    assert FEATURES[0].name == first[0].feature
    assert 0 == sum(abs(effect.log_odds) for effect in first[1:])


def test_selection_by_a_model_with_a_weight(tmp_path: Path) -> None:
    """The model's β is used by default: a small one keeps no more than a large one."""
    kept = []
    for beta in (0.1, 10.0):
        path = tmp_path / f"{beta}.npz"
        replace(make_model(), adapter=make_adapter(), beta=beta).save(path)
        selection = select(parse(PAGE), Params(model=str(path)))
        kept.append(int(selection.block_keep.sum()))
    assert kept[0] < kept[1]
