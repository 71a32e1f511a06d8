"""What the network is given: a scale per feature, a vocabulary, and the type of the page.

All are fitted before the network. Page types are told by a linear model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from thresher.algorithms.learned.model import number_tokens
from thresher.algorithms.learned.network import CLIP, INPUT_STEPS
from thresher.algorithms.learned.page_type import MEAN_CLIP, PAGE_TYPES, PageTypeModel
from thresher.evaluation.folds import fold_of
from thresher.features import FEATURES
from thresher.features.hashing import Hashes
from thresher.features.inputs import InputScale, saturate, standardise
from thresher.training.learned.examples import MIXED_CORPORA, Example

FloatArray = npt.NDArray[np.float32]
MIN_SITES: Final = 15
"""Sites a token must occur on to be in the vocabulary: rarer ones lead to overfitting."""
_SAMPLE_BLOCKS: Final = 300
"""Blocks sampled per page."""
_HEAVY_TAIL: Final = 6.0
"""Kurtosis above which a feature is saturated: twice that of a normal distribution."""
_MIN_VALUES: Final = 8
"""Number of distinct values up to which a feature is a flag or small count, and not saturated."""
STRENGTH: Final = 0.02
"""Weight of a page's log loss relative to half the squared weights."""
_FEATURE_SCALE: Final = 0.3
"""Scale of mean features relative to the presence of a token, under the penalty."""
_OTHER_WEIGHT: Final = 0.3
"""Weight of a page of a corpus that is not mixed."""
_N_STEP: Final = 60
"""Steps of L-BFGS (Liu and Nocedal 1989); the loss has converged by then."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """Fields of `thresher.algorithms.learned.network.Network` with the same names."""

    mean: FloatArray
    deviation: FloatArray
    saturation: FloatArray
    vocabulary: Hashes

    def standardise(self, values: FloatArray) -> FloatArray:
        """Standardise features to mean 0 and deviation 1; float32[n_block, n_feature]."""
        scale = InputScale(self.mean, self.deviation, self.saturation, CLIP, INPUT_STEPS)
        return standardise(values, scale)

    def number(self, hashes: Hashes) -> npt.NDArray[np.intp]:
        """Return the index of each token in the vocabulary, its size for unknown tokens."""
        return number_tokens(self.vocabulary, hashes)


def fit_encoding(examples: Sequence[Example]) -> Encoding:
    """Fit scales and vocabulary to some pages."""
    pages = [example.features.values for example in examples]
    sample = np.concatenate([page[:: max(1, len(page) // _SAMPLE_BLOCKS)] for page in pages])
    saturation = np.array([_fit_saturation(column) for column in sample.T], np.float32)
    saturated = saturate(sample, saturation)
    # At least a deviation of 0.001: a feature that is constant in training stays near 0.
    return Encoding(
        saturated.mean(axis=0),
        saturated.std(axis=0) + np.float32(1e-3),
        saturation,
        _find_vocabulary(examples),
    )


def _fit_saturation(column: FloatArray) -> float:
    """Return 1 / median absolute value of a feature with a heavy tail, otherwise 0."""
    size = np.abs(column[column != 0])
    standard = (column - column.mean()) / (column.std() + 1e-6)
    if np.mean(standard**4) <= _HEAVY_TAIL or np.unique(size[:5000]).size <= _MIN_VALUES:
        return 0.0
    return 1 / float(np.median(size))


def _find_vocabulary(examples: Sequence[Example]) -> Hashes:
    number: dict[str, int] = {}
    tokens = [np.unique(_tokens_of(example, True)) for example in examples]
    sites = [number.setdefault(example.site, len(number)) for example in examples]
    of_token = np.repeat(sites, [hashes.size for hashes in tokens])
    pairs = np.stack((np.concatenate(tokens), of_token.astype(np.uint64)), axis=1)
    token, n_site = np.unique(np.unique(pairs, axis=0)[:, 0], return_counts=True)
    return token[n_site >= MIN_SITES]


def fit_page_types(examples: Sequence[Example], encoding: Encoding) -> PageTypeModel:
    """Fit the model to examples, each once with and once without the page's own declarations.

    Callers often have no URL, and many pages declare nothing. If no page has a type, all types are
    equally probable.
    """
    examples = [example for example in examples if example.page_type >= 0]
    if not examples:
        return _uniform_model(encoding)
    means = np.stack([example.features.means.ravel() for example in examples])
    mean, deviation = means.mean(axis=0), means.std(axis=0) + 1e-3
    clipped = np.clip((means - mean) / deviation, -MEAN_CLIP, MEAN_CLIP)
    standard = (clipped * _FEATURE_SCALE).astype(np.float32)
    inputs = np.block(
        [[standard, _flag_tokens(examples, encoding, declared)] for declared in (True, False)]
    )
    mixed = [example.page.corpus in MIXED_CORPORA for example in examples]
    counts = np.where(mixed, 1.0, _OTHER_WEIGHT).astype(np.float32) / 2
    targets = np.array([example.page_type for example in examples])
    weights, bias = _descend(inputs, np.tile(targets, 2), np.tile(counts, 2))
    n_mean = means.shape[1]
    tokens = np.zeros((encoding.vocabulary.size + 1, len(PAGE_TYPES)), np.float32)
    tokens[:-1] = weights[n_mean:]
    return PageTypeModel(
        type_mean=mean.astype(np.float32),
        type_deviation=deviation.astype(np.float32),
        type_feature_weights=(weights[:n_mean] * _FEATURE_SCALE).astype(np.float32),
        type_token_weights=tokens,
        type_bias=bias.astype(np.float32),
    )


def cross_predict(
    examples: Sequence[Example], encoding: Encoding, *, n_fold: int
) -> npt.NDArray[np.float64]:
    """Predict each example by a model fitted without its site; float64[n_example, n_type].

    The network must be trained on probabilities as on unseen sites, not on overfitted ones.
    """
    fold = np.array([fold_of(example.page, n_fold) for example in examples])
    probabilities = np.zeros((len(examples), len(PAGE_TYPES)))
    for out in np.unique(fold).tolist():
        model = fit_page_types(
            [example for example, own in zip(examples, fold, strict=True) if own != out], encoding
        )
        for i in np.flatnonzero(fold == out).tolist():
            probabilities[i] = predict_page_type(model, examples[i], encoding)
    return probabilities


def predict_page_type(
    model: PageTypeModel, example: Example, encoding: Encoding
) -> npt.NDArray[np.float64]:
    """Return the probability of each page type; float64[n_type]."""
    return model.probabilities(example.features, encoding.number(_tokens_of(example, True)))


def _uniform_model(encoding: Encoding) -> PageTypeModel:
    n_mean, n_type = 2 * len(FEATURES), len(PAGE_TYPES)
    return PageTypeModel(
        type_mean=np.zeros(n_mean, np.float32),
        type_deviation=np.ones(n_mean, np.float32),
        type_feature_weights=np.zeros((n_mean, n_type), np.float32),
        type_token_weights=np.zeros((encoding.vocabulary.size + 1, n_type), np.float32),
        type_bias=np.zeros(n_type, np.float32),
    )


def _flag_tokens(examples: Sequence[Example], encoding: Encoding, declared: bool) -> FloatArray:
    flags = np.zeros((len(examples), encoding.vocabulary.size + 1), np.float32)
    for row, example in zip(flags, examples, strict=True):
        row[encoding.number(_tokens_of(example, declared))] = 1
    return flags[:, :-1]


def _tokens_of(example: Example, declared: bool) -> Hashes:
    features = example.features
    own = features.tokens.hash
    return np.concatenate((own, features.declared)) if declared else own


def _descend(
    inputs: FloatArray, targets: npt.NDArray[np.int64], counts: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Minimise the penalised log loss; return weights [input, type] and bias [type]."""
    x, y, count = (torch.from_numpy(array) for array in (inputs, targets, counts))
    weights = torch.zeros(x.shape[1], len(PAGE_TYPES), dtype=x.dtype, requires_grad=True)
    bias = torch.zeros(len(PAGE_TYPES), dtype=x.dtype, requires_grad=True)
    optimiser = torch.optim.LBFGS((weights, bias), max_iter=_N_STEP, line_search_fn="strong_wolfe")

    def measure() -> torch.Tensor:
        optimiser.zero_grad()
        losses = nn.functional.cross_entropy(x @ weights + bias, y, reduction="none")
        loss = STRENGTH * (losses * count).sum() + (weights**2).sum() / 2
        loss.backward()
        return loss

    optimiser.step(measure)
    return weights.detach().numpy(), bias.detach().numpy()
