"""The encoding: scales of features and the vocabulary of names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("torch")

from tests.training.learned.conftest import Lesson
from thresher.features import FEATURES
from thresher.training.learned import encoding as encoding_module
from thresher.training.learned.encoding import Encoding, fit_encoding
from thresher.training.learned.examples import Example

COLUMN = {feature.name: column for column, feature in enumerate(FEATURES)}


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
    known = {token for token, own in sites.items() if len(own) >= encoding_module.MIN_SITES}
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
