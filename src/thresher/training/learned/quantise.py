"""Quantisation of trained networks to the integer network that is shipped.

A layer's weights become integers from −127 to 127, with one scale per unit; its activations become
integers from 0 to 255, with a scale set by the values on training pages (Jacob et al. 2018,
Quantization and Training of Neural Networks, sections 2.1 and 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from thresher.algorithms.learned.network import INPUT_STEPS, MAX_LEVEL, MAX_WEIGHT, Network
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.surroundings import N_CONTAINER
from thresher.features import FEATURES
from thresher.roles import SCOPES
from thresher.training.learned.encoding import Encoding
from thresher.training.learned.network import Encoded, TrainableNetwork, join_pages

__all__ = ["quantise"]

Array32 = npt.NDArray[np.float32]
Array64 = npt.NDArray[np.float64]

_SAMPLE_PAGES: Final = 256
"""Pages from which the scales of activations are measured."""
_SEEN_SHARE: Final = 0.9999
"""Share of activations within range; larger ones are clipped."""


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

    Its outputs are roles if ``predicts_roles``, otherwise content and emptiness.
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
    words, word_step = np.empty((0, 0), np.float32), 1.0
    if network.words is not None:
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


def _round(real: Array64) -> tuple[Array32, Array32]:
    """Round weights [input, unit] to integers; return them and the scale of each unit."""
    scale = np.maximum(np.abs(real).max(axis=0), 1e-12) / MAX_WEIGHT
    return np.rint(real / scale).astype(np.float32), scale.astype(np.float32)


def _find_levels(network: TrainableNetwork, pages: Sequence[Encoded]) -> Array64:
    """Return the quantisation steps per unit of each layer's output; float64[n_layer]."""
    with torch.no_grad():
        codes = [network.codes(join_pages([page], [0])) for page in pages]
    seen = [
        np.concatenate([_float64(code[i]).ravel() for code in codes]) for i in range(len(codes[0]))
    ]
    return np.array([MAX_LEVEL / max(np.quantile(values, _SEEN_SHARE), 1e-6) for values in seen])


def _float64(tensor: torch.Tensor | nn.Parameter) -> Array64:
    return tensor.detach().numpy().astype(np.float64)


def _float32(tensor: torch.Tensor | nn.Parameter) -> Array32:
    return tensor.detach().numpy().astype(np.float32)
