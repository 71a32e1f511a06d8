"""Labelled pages become arrays, and weights whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
import torch

from tests.training.learned.conftest import Lesson
from thresher.algorithms.learned.network import (
    MAX_LEVEL,
    MAX_WEIGHT,
    WHOLE,
    Network,
)
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.evaluation.folds import fold_of
from thresher.roles import SCOPES
from thresher.training.learned import encoding
from thresher.training.learned.calibrate import quantise
from thresher.training.learned.encoding import (
    MIN_SITES,
    Encoding,
    cross_predict,
    fit_encoding,
    fit_page_types,
    predict_page_type,
)
from thresher.training.learned.examples import Example
from thresher.training.learned.network import Encoded, TrainableNetwork, join_pages


def refit(examples: Sequence[Example], column: npt.NDArray[np.float32]) -> Encoding:
    """Fit an encoding with the first feature replaced by a column of values."""
    parts = np.split(column, np.cumsum([len(each.features.values) for each in examples])[:-1])
    changed = []
    for example, part in zip(examples, parts, strict=True):
        values = example.features.values.copy()
        values[:, 0] = part
        changed.append(replace(example, features=replace(example.features, values=values)))
    return fit_encoding(changed)


def test_features_are_standardised(lesson: Lesson) -> None:
    """Over the fitted pages, a feature has mean 0, and deviation 1 unless it is constant."""
    values = np.concatenate([page.values for page in lesson.pages])
    assert np.abs(values.mean(axis=0)).max() < 0.1
    deviation = values.std(axis=0)
    raw = np.concatenate([each.features.values for each in lesson.examples])
    steady = np.ptp(raw, axis=0) == 0
    assert steady.any()
    assert (deviation[steady] == 0).all()
    assert 1 == pytest.approx(np.median(deviation[~steady]), abs=0.05)


def test_heavy_tails_are_saturated(lesson: Lesson) -> None:
    """A heavy-tailed feature is saturated at its median; flags and normal features are not."""
    n_block = sum(len(each.features.values) for each in lesson.examples)
    luck = np.random.default_rng(0)
    heavy = np.exp(luck.normal(0, 2, n_block)).astype(np.float32)
    bell = luck.normal(0, 2, n_block).astype(np.float32)
    flag = (luck.random(n_block) < 0.01).astype(np.float32)
    saturation = [refit(lesson.examples, column).saturation[0] for column in (heavy, bell, flag)]
    assert 1 / np.median(heavy) == pytest.approx(saturation[0])
    assert [0, 0] == saturation[1:]


def test_rare_names_are_unknown(lesson: Lesson) -> None:
    """A name must occur on a minimum number of sites to be known, however often on each."""
    encoding, examples = lesson.encoding, lesson.examples
    sites: dict[int, set[str]] = {}
    for example in examples:
        hashes = np.concatenate((example.features.tokens.hash, example.features.declared))
        for token in hashes.tolist():
            sites.setdefault(token, set()).add(example.site)
    known = {token for token, own in sites.items() if len(own) >= MIN_SITES}
    assert sorted(known) == encoding.vocabulary.tolist()
    assert 0 < len(known) < len(sites)
    rare = np.array(sorted(sites.keys() - known), np.uint64)
    assert {encoding.vocabulary.size} == set(encoding.number(rare).tolist())
    assert list(range(len(known))) == encoding.number(encoding.vocabulary).tolist()


def test_few_sites_give_an_empty_vocabulary(lesson: Lesson) -> None:
    """With fewer sites than a name needs, the vocabulary is empty and all names are unknown."""
    encoding = fit_encoding(lesson.examples[:4])
    assert 0 == encoding.vocabulary.size
    tokens = lesson.examples[0].features.tokens.hash
    assert [0] * tokens.size == encoding.number(tokens).tolist()


def test_encoding_depends_on_its_pages_only(lesson: Lesson) -> None:
    """The order of the pages does not affect the vocabulary, and hardly affects the scales."""
    encoding, other = lesson.encoding, fit_encoding(lesson.examples[::-1])
    assert encoding.vocabulary.tolist() == other.vocabulary.tolist()
    assert encoding.saturation.tolist() == other.saturation.tolist()
    assert encoding.mean == pytest.approx(other.mean, rel=1e-4, abs=1e-4)


def test_types_are_predicted(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    """The most probable type of each page is its own, of most even without its declarations."""
    # So weak a regularisation makes a few pages as effective as many.
    monkeypatch.setattr(encoding, "STRENGTH", 1.0)
    model = fit_page_types(lesson.examples, lesson.encoding)
    assert not model.type_token_weights[-1].any(), "unknown names have a weight"
    right = 0
    for example in lesson.examples:
        features = replace(example.features, declared=np.zeros(0, np.uint64))
        whole, silent = (
            predict_page_type(model, each, lesson.encoding).argmax()
            for each in (example, replace(example, features=features))
        )
        assert example.page_type == whole
        right += example.page_type == silent
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
    nobody = [
        replace(example, page=replace(example.page, page_type=None)) for example in lesson.examples
    ]
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


@pytest.fixture(scope="module")
def whole(lesson: Lesson, network: TrainableNetwork) -> Network:
    return quantise([network], lesson.encoding, lesson.pages)


def read(network: Network, page: Encoded, scope: int) -> np.ndarray:
    return network.run(page.example.features, page.tokens, page.types, scope)


@pytest.mark.parametrize("scope", range(len(SCOPES)))
def test_quantised_network_agrees(
    lesson: Lesson, network: TrainableNetwork, whole: Network, scope: int
) -> None:
    """Log-odds differ little, and more than 99 % of blocks have the same sign."""
    with torch.no_grad():
        scores = [network(join_pages([page], [scope])) for page in lesson.pages]
    found = [read(whole, page, scope) for page in lesson.pages]
    real = np.concatenate([each.blocks.numpy() for each in scores])
    rounded = np.concatenate(found)
    assert np.abs(real - rounded).mean() < 0.05
    assert np.abs(real - rounded).max() < 0.5
    assert np.mean((real > 0) == (rounded > 0)) > 0.99


def test_weights_are_small_integers(whole: Network) -> None:
    """All weights fit a byte, and the largest weight of each unit uses the whole range."""
    for name in WHOLE:
        weights = getattr(whole, name)
        assert np.float32 == weights.dtype
        assert (weights == np.rint(weights)).all()
        assert MAX_WEIGHT >= np.abs(weights).max() > 0
    first = np.concatenate((whole.feature_weights, whole.name_weights[0]))
    assert (np.abs(first).max(axis=0) == MAX_WEIGHT).all()
    for name in ("second", "summary", "context", "output"):
        assert (np.abs(getattr(whole, f"{name}_weights")).max(axis=-2) == MAX_WEIGHT).all()
    n_input = max(whole.context_weights.shape[2], len(whole.feature_weights))
    assert n_input * MAX_WEIGHT * MAX_LEVEL < 2**24, "float32 rounds the largest sums"


def test_networks_vote(lesson: Lesson, network: TrainableNetwork, whole: Network) -> None:
    """The log-odds of two networks are the mean of those of each, on all pages and scopes."""
    torch.manual_seed(5)
    other = TrainableNetwork(lesson.n_token).eval()
    alone = quantise([other], lesson.encoding, lesson.pages)
    both = quantise([network, other], lesson.encoding, lesson.pages)
    for page in lesson.pages[:3]:
        for scope in range(len(SCOPES)):
            one, two, vote = (read(each, page, scope) for each in (whole, alone, both))
            assert (one[0] + two[0]) / 2 == pytest.approx(vote[0], abs=1e-5)
            assert (one[1] + two[1]) / 2 == pytest.approx(vote[1], abs=1e-5)
