"""The network: exact sums, so that results are bit-identical on every machine."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Final

import numpy as np
import pytest

from tests.algorithms.learned.models import (
    COLUMN,
    DEEP,
    PAGE,
    features_of,
    make_model,
    make_network,
    make_role_network,
    watch_feature,
)
from thresher.algorithms.learned.model import Model
from thresher.algorithms.learned.network import CLIP, WHOLE, FloatArray, Network
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.surroundings import N_CONTAINER
from thresher.features import FEATURES, compute_features
from thresher.page.parse import parse
from thresher.roles import ROLES, SCOPES

SEEDS: Final = range(4)
NAMES: Final = len(FEATURES) + len(PAGE_TYPES)
"""The index that hides all names."""


class Doubled(np.ndarray[Any, np.dtype[Any]]):
    """Weights whose products are summed in float64, last input first, and rounded once."""

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


def in_float64(network: Network) -> Network:
    doubled = {name: getattr(network, name).view(Doubled) for name in WHOLE}
    return replace(network, **doubled)


def run(network: Network, html: str = PAGE, scope: int = 0, hide: int | None = None) -> FloatArray:
    return make_model(network=network).prepare(features_of(html), scope).run(hide=hide)


def bits(log_odds: FloatArray) -> bytes:
    return log_odds.tobytes()


@pytest.mark.parametrize("html", [PAGE, DEEP], ids=["page", "deep"])
@pytest.mark.parametrize("seed", SEEDS)
def test_sums_are_exact(seed: int, html: str) -> None:
    """Sums with twice the precision, in another order, are bit-identical: no sum was rounded."""
    network = make_network(seed)
    assert bits(run(network, html)) == bits(run(in_float64(network), html))


@pytest.mark.parametrize("largest", [127, 10**4, 10**7])
@pytest.mark.parametrize("seed", SEEDS)
def test_names_are_weighed_exactly(seed: int, largest: int) -> None:
    """For any number of names, their weighted sum is the float32 nearest to the exact one."""
    network = make_network(seed)
    shape = len(network.text_weights), 5, network.text_weights.shape[1]
    names = np.random.default_rng(seed).integers(-largest, largest, shape)
    true = names @ network.text_weights.astype(np.int64)
    for kind in (np.float32, np.float64):
        found = network._weigh_names(names.astype(kind))
        assert np.float32 == found.dtype
        assert true.astype(np.float32).tolist() == found.tolist()


def test_names_are_summed_exactly() -> None:
    """Sums of names are exact even beyond the integers of float32."""
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
def test_random_networks_differ(seed: int) -> None:
    """Random networks give different values for blocks and networks, so tests are meaningful."""
    log_odds, other = (run(make_network(each)) for each in (seed, seed + 1))
    assert len(np.unique(log_odds)) > len(log_odds) / 2
    assert not np.array_equal(log_odds, other)


def test_networks_vote_by_their_mean() -> None:
    """Two copies of a network give the same log-odds as the network alone."""
    one = watch_feature("words", low=0, high=6)
    shared = ("mean", "deviation", "saturation")
    on_second = (
        "embedding",
        "word_embedding",
        "feature",
        "levels",
        "first_bias",
        "summary",
        "context",
    )
    names = [field.name for field in fields(one) if field.name not in shared]
    several = {
        name: np.concatenate([getattr(one, name)] * 2, axis=int(name.startswith(on_second)))
        for name in names
    }
    assert bits(run(one)) == bits(run(replace(one, **several)))


@pytest.mark.parametrize("html", [PAGE, DEEP], ids=["page", "deep"])
@pytest.mark.parametrize("seed", SEEDS)
def test_scores_of_roles_are_exact(seed: int, html: str) -> None:
    """A role network gives bit-identical scores with twice the precision, compiled or not."""
    network = make_role_network(seed)
    features = features_of(html)
    inference = make_model(roles=network).prepare(features, 0)
    inputs = features, inference.tokens, inference.types
    scores = network.score_roles(*inputs)
    assert ("float32", (len(features.words), len(ROLES))) == (scores.dtype.name, scores.shape)
    assert in_float64(network).score_roles(*inputs).tobytes() == scores.tobytes()
    assert scores.tobytes() == inference.score_roles().tobytes()


def test_words_tell_roles_apart() -> None:
    """Another word of the same size and kind changes the scores."""
    other = PAGE.replace("Legal", "Grain")
    model = make_model(roles=make_role_network(3))
    ours, theirs = (model.prepare(features_of(html), 0).score_roles() for html in (PAGE, other))
    assert not np.array_equal(ours, theirs)


def test_log_odds_follow_the_watched_feature() -> None:
    """A network that passes on a single feature returns that feature, within one level."""
    features = features_of()
    log_odds = run(watch_feature("words", low=0, high=6))
    words = features.values[:, COLUMN["words"]]
    expected = np.clip((words - 3) / 3, -1, 1) * CLIP
    assert expected == pytest.approx(log_odds, abs=2 * CLIP / 255 + 1 / 32)


def test_scopes_have_their_own_biases() -> None:
    """Every scope gives different results."""
    network = make_network()
    assert len(SCOPES) == len({bits(run(network, scope=scope)) for scope in range(len(SCOPES))})


def test_unknown_names_are_all_the_same() -> None:
    """All unknown names are interchangeable; known names are not."""
    network = make_network()
    unknown, other = (PAGE.replace("byline", name) for name in ("quern", "gristmill"))
    known = PAGE.replace("byline", "menu")
    assert bits(run(network, unknown)) == bits(run(network, other))
    assert bits(run(network, unknown)) != bits(run(network, known))


def test_hidden_names_do_not_matter() -> None:
    """Hidden names do not affect the result."""
    inference = make_model().prepare(features_of(), 0)
    renamed = replace(inference, tokens=inference.tokens[::-1].copy())
    assert bits(inference.run(hide=NAMES)) == bits(renamed.run(hide=NAMES))
    assert bits(inference.run()) != bits(renamed.run())


@pytest.mark.parametrize("name", ["words", "page_blocks", "in_nav"])
def test_hidden_feature_is_at_its_mean(name: str) -> None:
    """Hiding a feature gives the same result as setting it to its mean on the whole page."""
    network = make_network()
    model = make_model(network=network)
    features = features_of()
    values = features.values.copy()
    mean, bend = (float(a[COLUMN[name]]) for a in (network.mean, network.saturation))
    values[:, COLUMN[name]] = mean / (1 - abs(mean) * bend)
    levelled = model.prepare(features, 0)
    output = network.run(replace(features, values=values), levelled.tokens, levelled.types, 0)
    assert bits(levelled.run(hide=COLUMN[name])) == bits(output)


def test_hidden_page_type_has_probability_0() -> None:
    """Hiding a page type gives the same result as setting its probability to 0."""
    inference = make_model().prepare(features_of(), 0)
    types = inference.types.copy()
    place = int(types.argmax())
    types[place] = 0
    output = inference.model.network.run(inference.features, inference.tokens, types, 0)
    assert bits(inference.run(hide=len(FEATURES) + place)) == bits(output)


def test_quantised_features_give_the_same_log_odds() -> None:
    """Features that are quantised as they are computed are read like those quantised later."""
    model = make_model()
    features = compute_features(parse(PAGE), model.scale)
    assert features.inputs.size
    quantised = model.prepare(features, 0).run()
    assert bits(model.prepare(features_of(), 0).run()) == bits(quantised)


def test_every_block_has_log_odds() -> None:
    """Every block has log-odds, even the only block of a page."""
    assert (1,) == run(make_network(), "<p>word").shape
    model: Model = make_model()
    assert model.prepare(features_of("<img src=a.png>"), 0).run().size == 1
