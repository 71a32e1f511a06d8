"""What follows the training of a network: calibration of its output, and quantisation.

Calibration is fitted to pages whose site the network was not trained on. In the integer network
that is shipped a layer's weights become integers from −127 to 127, with one scale per unit; its
activations become integers from 0 to 255, with a scale set by the values on training pages (Jacob
et al. 2018, Quantization and Training of Neural Networks, sections 2.1 and 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from thresher.algorithms.learned.calibration import FAR, Calibration
from thresher.algorithms.learned.context import PageScores, join_log_odds
from thresher.algorithms.learned.decide import choose
from thresher.algorithms.learned.network import INPUT_STEPS, MAX_LEVEL, MAX_WEIGHT, Network
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.roles import weigh_text_roles
from thresher.algorithms.learned.surroundings import N_CONTAINER
from thresher.features import FEATURES
from thresher.page.rows import BoolArray
from thresher.roles import SCOPES
from thresher.training.learned.encoding import Encoding
from thresher.training.learned.examples import MIXED_CORPORA, Example, scope_of
from thresher.training.learned.network import Encoded, TrainableNetwork, join_pages

FloatArray = npt.NDArray[np.float64]
Array32 = npt.NDArray[np.float32]

_SLOPES: Final = (0.15, 0.2, 0.25, 0.3, 0.35, 0.45, 0.6, 0.8, 1.0)
_SHIFTS: Final = (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5)
"""Grid for the log-odds of blocks."""
_OTHER_WEIGHT: Final = 0.5
"""Weight of a page of a corpus that is not mixed."""
_PRIOR_WEIGHT: Final = 1.0
"""Weight of the prior, in pages."""
_NEWTON_STEPS: Final = 30
_N_KNOT: Final = 12
"""Groups of equal size, by expected F1, to which the confidence is fitted."""
_SAMPLE_PAGES: Final = 256
"""Pages from which the scales of activations are measured."""
_SEEN_SHARE: Final = 0.9999
"""Share of activations within range; larger ones are clipped."""


@dataclass(frozen=True, slots=True)
class HeldOutPage:
    """Output for a page of a network that was not trained on its site."""

    example: Example
    log_odds: Sequence[FloatArray]
    """Log-odds under each scope, float64[n_block] each; those of `auto` for scopes the page is not
    an example of. Far below 0 for readers' comments that the scope excludes."""
    types: FloatArray
    """Probability of each page type; float64[n_type]."""
    role_scores: npt.NDArray[np.float32]
    """Scores of roles, as by `Inference.score_roles`; float32[n_block, n_role]."""

    def scores(self, scope: int) -> PageScores:
        """Return what a decision under a scope depends on."""
        roles = weigh_text_roles(self.role_scores)
        return PageScores.of(
            self.example.features,
            log_odds=join_log_odds(self.log_odds[scope], roles, self.types),
            roles=self.role_scores,
            types=self.types,
            scope=scope,
        )

    def is_excluded(self, scope: int) -> BoolArray:
        """Flag the readers' comments that a scope excludes; bool[n_block]."""
        return np.asarray(self.log_odds[scope] <= -FAR)


class Reached(NamedTuple):
    """Expected and actual F1 of the choice of blocks, by page, scope, slope and shift.

    float64[n_page, n_scope, n_slope, n_shift] each.
    """

    expected: FloatArray
    actual: FloatArray


def try_choices(pages: Sequence[HeldOutPage]) -> Reached:
    """Choose the blocks of every page under every scope, slope and shift."""
    shape = (len(pages), len(SCOPES), len(_SLOPES), len(_SHIFTS))
    reached = Reached(np.zeros(shape), np.zeros(shape))
    for place, page in enumerate(pages):
        words = page.example.features.words
        for scope in {0, scope_of(page.example.page)}:
            for i, slope in enumerate(_SLOPES):
                for j, shift in enumerate(_SHIFTS):
                    log_odds = page.log_odds[scope] * slope + shift
                    choice = choose(1 / (1 + np.exp(-np.clip(log_odds, -30, 30))), words)
                    reached.expected[place, scope, i, j] = choice.expected
                    reached.actual[place, scope, i, j] = page.example.measure(choice.keep)
    return reached


def fit_calibration(pages: Sequence[HeldOutPage], reached: Reached) -> Calibration:
    """Fit a calibration to some pages: the choice by grid search, probabilities by log loss."""
    mixed = np.array([page.example.page.corpus in MIXED_CORPORA for page in pages])
    weight = np.where(mixed, 1.0, _OTHER_WEIGHT)
    labelled = np.array([scope_of(page.example.page) for page in pages])
    fits = []
    for scope in range(len(SCOPES)):
        own = weight * ((labelled == scope) | (scope == 0))
        # Without an example of a scope, the fit of `auto` is used.
        source = scope if own.any() else 0
        total = np.tensordot(own if own.any() else weight, reached.actual[:, source], 1)
        fits.append(np.unravel_index(int(total.argmax()), total.shape))
    slope, shift = fits[0]
    knots = fit_confidence(reached.expected[:, 0, slope, shift], reached.actual[:, 0, slope, shift])
    blocks = [_fit_blocks(pages, scope) for scope in range(len(SCOPES))]
    return Calibration(
        block_slope=np.array([slope for slope, _ in blocks]),
        block_shift=np.array([shift for _, shift in blocks]),
        choice_slope=np.array([_SLOPES[slope] for slope, _ in fits]),
        choice_shift=np.array([_SHIFTS[shift] for _, shift in fits]),
        expected=knots[0],
        reached=knots[1],
    )


def fit_confidence(expected: FloatArray, actual: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Map expected to reached F1 by group means, made monotonic (isotonic regression)."""
    groups = np.array_split(np.argsort(expected, kind="stable"), min(_N_KNOT, expected.size))
    knots = np.array([expected[group].mean() for group in groups])
    return knots, _make_rise([(actual[group].mean(), group.size) for group in groups])


def _make_rise(means: Sequence[tuple[float, int]]) -> FloatArray:
    """Pool neighbours until the means ascend (Barlow et al. 1972, pool adjacent violators)."""
    pools: list[list[float]] = []
    for mean, size in means:
        pools.append([float(mean), size, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            late, early = pools.pop(), pools.pop()
            total = early[1] + late[1]
            pooled = (early[0] * early[1] + late[0] * late[1]) / total
            pools.append([pooled, total, early[2] + late[2]])
    return np.repeat([pool[0] for pool in pools], [int(pool[2]) for pool in pools])


def _fit_blocks(pages: Sequence[HeldOutPage], scope: int) -> tuple[float, float]:
    """Fit slope and shift of the log-odds of blocks under a scope, with equal weight per page."""
    own = [page for page in pages if scope in (0, scope_of(page.example.page))] or pages
    examples = [page.example for page in own]
    log_odds = np.concatenate([page.log_odds[scope] for page in own]).astype(np.float64)
    slope, shift = fit_logistic(
        np.stack((log_odds, np.ones_like(log_odds)), axis=1),
        np.concatenate([example.share for example in examples]).astype(np.float64),
        np.concatenate(
            [example.weight / max(float(example.weight.sum()), 1.0) for example in examples]
        ),
        prior=(1.0, 0.0),
    )
    return float(slope), float(shift)


def fit_logistic(
    inputs: FloatArray, target: FloatArray, weight: FloatArray, prior: Sequence[float]
) -> FloatArray:
    """Fit the weights of ``inputs`` [n, k] in log-odds by log loss, with Newton's method; [k].

    They are drawn a little to ``prior``. Source: Platt 1999.
    """
    fit = np.zeros(len(prior))  # from here Newton's steps never overshoot far
    for _ in range(_NEWTON_STEPS):
        probability = 1 / (1 + np.exp(-np.clip(inputs @ fit, -30, 30)))
        spread = weight * probability * (1 - probability)
        slope = inputs.T @ (weight * (probability - target)) + _PRIOR_WEIGHT * (fit - prior)
        curvature = inputs.T @ (inputs * spread[:, None]) + _PRIOR_WEIGHT * np.eye(fit.size)
        fit = fit - np.linalg.solve(curvature, slope)
    return fit


class _Parts(dict[str, list[Array32]]):
    """Arrays of several networks, or of several rounds of one, by field."""

    def put(self, **arrays: Array32) -> None:
        for name, array in arrays.items():
            self.setdefault(name, []).append(array)

    def stack(self) -> dict[str, Array32]:
        return {name: np.stack(arrays) for name, arrays in self.items()}


def quantise(
    networks: Sequence[TrainableNetwork],
    encoding: Encoding,
    pages: Sequence[Encoded],
    *,
    predicts_roles: bool = False,
) -> Network:
    """Combine networks with the same encoding into one of integers; ``pages`` are training pages.

    Its outputs are roles if ``predicts_roles``, otherwise content.
    """
    parts = _Parts()
    for network in networks:
        output = network.roles if predicts_roles else network.output
        _quantise_one(network, output, pages[:: max(1, len(pages) // _SAMPLE_PAGES)], parts)
    stacked = parts.stack()
    for name in ("embedding", "feature_weights", "word_embedding"):
        stacked[name] = np.concatenate(parts[name], axis=1)
    stacked["first_bias"] = stacked["first_bias"].transpose(1, 0, 2)
    stacked["levels"] = stacked["levels"].T
    for kind in ("summary", "context"):
        for part in ("weights", "scale", "bias"):
            stacked[f"{kind}_{part}"] = stacked[f"{kind}_{part}"].swapaxes(0, 1)
    return Network(
        mean=encoding.mean,
        deviation=encoding.deviation,
        saturation=encoding.saturation,
        **{name: np.ascontiguousarray(array) for name, array in stacked.items()},
    )


def _quantise_one(
    network: TrainableNetwork, output: nn.Linear, pages: Sequence[Encoded], parts: _Parts
) -> None:
    levels = _find_levels(network, pages)
    names, name_step = _round_embedding(network.embedding)
    words, word_step = _round_embedding(network.words)
    weights, bias = _float64(network.first.weight).T, _float64(network.first.bias)
    n_feature = len(FEATURES) + len(PAGE_TYPES)
    scopes = slice(n_feature, n_feature + len(SCOPES))
    steps = np.full(len(weights), 1 / INPUT_STEPS)
    n_name = scopes.stop + names.shape[1] * (N_CONTAINER + 1)
    steps[scopes.stop : n_name] = name_step
    steps[n_name:] = word_step
    whole, scale = _round(np.delete(weights * steps[:, None], scopes, 0))
    parts.put(
        embedding=names,
        word_embedding=words,
        feature_weights=whole[:n_feature],
        name_weights=whole[n_feature : n_name - len(SCOPES)],
        word_weights=whole[n_name - len(SCOPES) :],
        first_scale=scale,
        # Exactly one scope is active, so its weights act as a bias.
        first_bias=(weights[scopes] + bias).astype(np.float32),
        levels=levels.astype(np.float32),
    )
    whole, scale = _round(_float64(network.second.weight).T / levels[0])
    parts.put(second_weights=whole, second_scale=scale, second_bias=_float32(network.second.bias))
    turns = _Parts()
    pairs = zip(network.summary, network.context, strict=True)
    for turn, (summary, context) in enumerate(pairs):
        code, around = levels[1 + 2 * turn], levels[2 + 2 * turn]
        wide = _float64(context.weight).T
        n_code = summary.weight.shape[1]
        wide[:n_code] /= code
        wide[n_code:] /= around
        for kind, layer, real in (
            ("summary", summary, _float64(summary.weight).T / code),
            ("context", context, wide),
        ):
            whole, scale = _round(real)
            named = {"weights": whole, "scale": scale, "bias": _float32(layer.bias)}
            turns.put(**{f"{kind}_{part}": array for part, array in named.items()})
    parts.put(**turns.stack())
    whole, scale = _round(_float64(output.weight).T / levels[-1])
    parts.put(output_weights=whole, output_scale=scale, output_bias=_float32(output.bias))


def _round_embedding(embedding: nn.Embedding | nn.EmbeddingBag) -> tuple[Array32, float]:
    """Round an embedding to integers; return them and the value of 1."""
    real = _float64(embedding.weight)
    step = float(np.abs(real).max()) / MAX_WEIGHT
    return np.rint(real / step).astype(np.float32), step


def _round(real: FloatArray) -> tuple[Array32, Array32]:
    """Round weights [input, unit] to integers; return them and the scale of each unit."""
    scale = np.maximum(np.abs(real).max(axis=0), 1e-12) / MAX_WEIGHT
    return np.rint(real / scale).astype(np.float32), scale.astype(np.float32)


def _find_levels(network: TrainableNetwork, pages: Sequence[Encoded]) -> FloatArray:
    """Return the quantisation steps per unit of each layer's output; float64[n_layer]."""
    with torch.no_grad():
        codes = [network.codes(join_pages([page], [0])) for page in pages]
    seen = [
        np.concatenate([_float64(code[i]).ravel() for code in codes]) for i in range(len(codes[0]))
    ]
    return np.array([MAX_LEVEL / max(np.quantile(values, _SEEN_SHARE), 1e-6) for values in seen])


def _float64(tensor: torch.Tensor | nn.Parameter) -> FloatArray:
    return tensor.detach().numpy().astype(np.float64)


def _float32(tensor: torch.Tensor | nn.Parameter) -> Array32:
    return tensor.detach().numpy().astype(np.float32)
