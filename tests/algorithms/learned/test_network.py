"""The network: exact sums, so that results are bit-identical on every machine."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest

from tests.algorithms.learned.models import (
    COLUMN,
    PAGE,
    features_of,
    make_model,
    make_network,
    make_role_network,
    permute_units,
    watch_feature,
)
from thresher.algorithms.learned import SCOPES
from thresher.algorithms.learned import network as networks
from thresher.algorithms.learned.model import Model
from thresher.algorithms.learned.network import (
    CLIP,
    WHOLE,
    Network,
    Output,
    saturate,
    standardise,
)
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.surroundings import N_CONTAINER
from thresher.features import FEATURES
from thresher.roles import ROLES

SEEDS: Final = range(4)
WORDY: Final = "<div class='" + " ".join(map("".join, product("abcdefghijklm", repeat=3))) + "'>"
"""An element with 2,197 words for names."""
DEEP: Final = WORDY * 200 + "<p>deep</p>" + "</div>" * 200 + "<p>after it</p>"
"""So many names around a block that their sums leave what float32 holds."""
NAMES: Final = len(FEATURES) + len(PAGE_TYPES)
"""The place that hides all names."""


class Doubled(np.ndarray[Any, np.dtype[Any]]):
    """Weights whose products are summed up in float64, last input first, then rounded once."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: Any, *inputs: Any, **options: Any) -> Any:
        plain = [np.asarray(each) for each in inputs]
        if ufunc is not np.matmul:
            return getattr(ufunc, method)(*plain, **options)
        values, weights = plain
        product = values[..., ::-1].astype(np.float64) @ weights[..., ::-1, :].astype(np.float64)
        rounded = product.astype(np.float32)
        for out in options.get("out", ()):
            out[...] = rounded
        return rounded


def run(network: Network, html: str = PAGE, scope: int = 0, hide: int | None = None) -> Output:
    return make_model(network=network).prepare(features_of(html), scope).run(hide=hide)


def bits(output: Output) -> tuple[bytes, bytes]:
    return output.log_odds.tobytes(), np.float64(output.empty_score).tobytes()


@pytest.mark.parametrize("html", [PAGE, DEEP], ids=["page", "deep"])
@pytest.mark.parametrize("seed", SEEDS)
def test_order_of_sums_does_not_show(seed: int, html: str) -> None:
    """The same network with its units in another order gives the same bits."""
    network = make_network(seed)
    assert bits(run(network, html)) == bits(run(permute_units(network, seed), html))


@pytest.mark.parametrize("html", [PAGE, DEEP], ids=["page", "deep"])
@pytest.mark.parametrize("seed", SEEDS)
def test_precision_of_sums_does_not_show(seed: int, html: str) -> None:
    """Products summed up in twice the precision give the same bits: none of them was rounded."""
    network = make_network(seed)
    doubled = {name: getattr(network, name).view(Doubled) for name in WHOLE}
    assert bits(run(network, html)) == bits(run(replace(network, **doubled), html))


@pytest.mark.parametrize("largest", [127, 10**4, 10**7])
@pytest.mark.parametrize("seed", SEEDS)
def test_names_are_weighed_exactly(seed: int, largest: int) -> None:
    """However many names are added up, their product is the nearest float32 to the true one."""
    network = make_network(seed)
    shape = len(network.name_weights), 5, network.name_weights.shape[1]
    names = np.random.default_rng(seed).integers(-largest, largest, shape)
    true = names @ network.name_weights.astype(np.int64)
    for kind in (np.float32, np.float64):
        found = network._weigh_names(names.astype(kind))
        assert np.float32 == found.dtype
        assert true.astype(np.float32).tolist() == found.tolist()


def test_names_are_added_up_exactly() -> None:
    """Sums of names beyond the integers of float32 are exact too."""
    network = make_network()
    features = features_of(DEEP)
    inference = make_model(network=network).prepare(features, 0)
    tokens = features.tokens
    vectors = network.embedding.astype(np.int64)[inference.tokens]
    of_name = np.add.reduceat(vectors, tokens.start)[tokens.name]
    n_net = len(network.first_scale)
    found = network._gather_names(features, inference.tokens).reshape(n_net, 2, N_CONTAINER + 1, -1)
    for block, row in enumerate(features.chain.leaf.tolist()):
        true = of_name[(tokens.row <= row) & (tokens.end > row)].sum(axis=0)
        assert true.tolist() == found[:, block].sum(axis=1).ravel().tolist()
    assert np.abs(found[:, 0]).max() > 2**24


@pytest.mark.parametrize("seed", SEEDS)
def test_values_are_whole_and_in_use(seed: int) -> None:
    """Random networks give different values for blocks and networks, so tests are meaningful."""
    output, other = (run(make_network(each)) for each in (seed, seed + 1))
    assert len(np.unique(output.log_odds)) > len(output.log_odds) / 2
    assert not np.array_equal(output.log_odds, other.log_odds)
    assert output.empty_score != other.empty_score


def test_other_pages_do_not_show() -> None:
    """Results do not depend on pages read before."""
    network = make_network()
    alone = bits(run(network))
    run(network, DEEP)
    assert alone == bits(run(network))


def test_batch_of_networks_is_their_mean() -> None:
    """Networks vote by their mean log-odds: copies of one network say what it says."""
    one = watch_feature("words", low=0, high=6)
    several = replace(
        one,
        **{
            name: np.concatenate([getattr(one, name)] * 2, axis=axis)
            for name, axis in {
                **dict.fromkeys(("embedding", "feature_weights", "levels"), 1),
                **dict.fromkeys(("name_weights", "first_scale", "second_weights"), 0),
                **dict.fromkeys(("second_scale", "second_bias", "output_weights"), 0),
                **dict.fromkeys(("output_scale", "output_bias"), 0),
                **dict.fromkeys(("first_bias", "summary_weights", "summary_scale"), 1),
                **dict.fromkeys(("summary_bias", "context_weights", "context_scale"), 1),
                "context_bias": 1,
            }.items()
        },
    )
    assert bits(run(one)) == bits(run(several))


@pytest.mark.parametrize("html", [PAGE, DEEP], ids=["page", "deep"])
@pytest.mark.parametrize("seed", SEEDS)
def test_scores_of_roles_are_exact(seed: int, html: str) -> None:
    """A network for roles gives the same bits in any order of its units, compiled or not."""
    network = make_role_network(seed)
    features = features_of(html)
    inference = make_model(roles=network).prepare(features, 0)
    inputs = features, inference.tokens, inference.types
    scores = network.score_roles(*inputs)
    assert ("float32", (len(features.words), len(ROLES))) == (scores.dtype.name, scores.shape)
    assert permute_units(network, seed).score_roles(*inputs).tobytes() == scores.tobytes()
    told = inference.score_roles()
    assert told is not None
    assert scores.tobytes() == told.tobytes()


def test_scores_of_roles_are_the_same_by_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without compiled steps, roles are the same to the bit."""
    inference = make_model(roles=make_role_network(3)).prepare(features_of(PAGE), 0)
    ours = inference.score_roles()
    monkeypatch.setattr(networks, "add_up", lambda *_, **__: None)
    theirs = inference.score_roles()
    assert ours is not None
    assert theirs is not None
    assert theirs.tobytes() == ours.tobytes()
    assert 1 < len(set(theirs.argmax(axis=1).tolist()))


def test_log_odds_follow_the_watched_feature() -> None:
    """A network that passes one feature on says that feature, to a step of its levels."""
    features = features_of()
    output = run(watch_feature("words", low=0, high=6))
    words = features.values[:, COLUMN["words"]]
    expected = np.clip((words - 3) / 3, -1, 1) * CLIP
    assert expected == pytest.approx(output.log_odds, abs=2 * CLIP / 255 + 1 / 32)
    mean = float((output.log_odds * features.words).sum() / features.words.sum())
    assert -mean == pytest.approx(output.empty_score, abs=0.1)


def test_scopes_have_first_biases_of_their_own() -> None:
    """The scope moves what the first layer starts from."""
    network = make_network()
    assert len(SCOPES) == len({bits(run(network, scope=scope)) for scope in range(len(SCOPES))})


def test_unknown_names_are_all_the_same() -> None:
    """Unknown names are interchangeable, known ones are not."""
    network = make_network()
    unknown, other = (PAGE.replace("byline", name) for name in ("quern", "gristmill"))
    known = PAGE.replace("byline", "menu")
    assert bits(run(network, unknown)) == bits(run(network, other))
    assert bits(run(network, unknown)) != bits(run(network, known))


def test_hidden_names_do_not_matter() -> None:
    """With names hidden, they do not affect the result."""
    inference = make_model().prepare(features_of(), 0)
    renamed = replace(inference, tokens=inference.tokens[::-1].copy())
    assert bits(inference.run(hide=NAMES)) == bits(renamed.run(hide=NAMES))
    assert bits(inference.run()) != bits(renamed.run())


@pytest.mark.parametrize("name", ["words", "page_blocks", "in_nav"])
def test_hidden_feature_is_at_its_mean(name: str) -> None:
    """Hiding a feature is the same as a page on which it is everywhere its mean."""
    network = make_network()
    model = make_model(network=network)
    features = features_of()
    values = features.values.copy()
    mean, bend = (float(a[COLUMN[name]]) for a in (network.mean, network.saturation))
    values[:, COLUMN[name]] = mean / (1 - abs(mean) * bend)
    levelled = model.prepare(features, 0)
    output = network.run(replace(features, values=values), levelled.tokens, levelled.types, 0)
    assert bits(levelled.run(hide=COLUMN[name])) == bits(output)


def test_hidden_page_type_is_improbable() -> None:
    """Hiding a page type is giving it the probability 0."""
    inference = make_model().prepare(features_of(), 0)
    types = inference.types.copy()
    place = int(types.argmax())
    types[place] = 0
    output = inference.model.network.run(inference.features, inference.tokens, types, 0)
    assert bits(inference.run(hide=len(FEATURES) + place)) == bits(output)


def test_features_are_bent_and_cut() -> None:
    """A heavy tail is bent to at most 1 / saturation; what is far off the mean is cut."""
    values = np.array([[0.0, 1.0], [2.0, 1e9], [-2.0, -1e9]], np.float32)
    bent: npt.NDArray[np.float32] = np.array([0.5, 0.0], np.float32)
    assert [[0, 1], [1, 1e9], [-1, -1e9]] == saturate(values, bent).tolist()
    mean, deviation = np.array([0.0, 1.0], np.float32), np.array([0.5, 2.0], np.float32)
    assert [[0, 0], [2, CLIP], [-2, -CLIP]] == standardise(values, mean, deviation, bent).tolist()


def test_blocks_are_read_in_place() -> None:
    """There are log-odds for every block, also for one alone on its page."""
    assert (1,) == run(make_network(), "<p>word").log_odds.shape
    model: Model = make_model()
    assert model.prepare(features_of("<img src=a.png>"), 0).run().log_odds.size == 1
