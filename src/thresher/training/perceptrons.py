"""Fit small perceptrons of one output: no framework, the same weights on every run."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.density_lines import MAX_ATTRIBUTES, MAX_LINES, Network

__all__ = ["BATCH_LINES", "N_STEP", "RATE", "SEED", "fit"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

SEED: Final = 2007
"""Fixes the first weights and which lines each step takes."""
N_STEP: Final = 1200
BATCH_LINES: Final = 4096
RATE: Final = 0.02
"""First step of Adam; it falls to 0 linearly."""
_DECAYS: Final = (0.9, 0.999)
"""β1 and β2 of Adam (Kingma and Ba 2015, section 2)."""
_TINY: Final = 1e-8
"""ε of Adam, there too."""


def fit(
    features: FloatArray,
    is_content: BoolArray,
    *,
    n_line: int,
    n_attribute: int,
    n_hidden: int,
    false_positive_weight: float = 1.0,
) -> Network:
    """Fit a network that sees some lines and attributes, to the least log loss; 0 hidden: none.

    Adam, each step on lines drawn at random by a fixed seed. Inputs are brought to mean 0 and
    deviation 1 for it; the weights returned take them as they are, and are 0 for what it does not
    see.
    """
    seen = np.zeros((MAX_LINES, MAX_ATTRIBUTES), np.bool_)
    seen[:n_line, :n_attribute] = True
    columns = np.flatnonzero(seen)
    mean = features[:, columns].mean(axis=0)
    scale = features[:, columns].std(axis=0) + _TINY
    inputs = (features[:, columns] - mean) / scale
    costs = np.where(is_content, 1.0, false_positive_weight)

    random = np.random.default_rng(SEED)
    n_first = n_hidden or 1
    weights = [random.normal(0, (columns.size + 1) ** -0.5, (n_first, columns.size + 1))]
    if n_hidden:
        weights.append(random.normal(0, (n_hidden + 1) ** -0.5, (1, n_hidden + 1)))
    _descend(weights, inputs, is_content, costs, random)

    first = np.zeros((n_first, seen.size + 1))
    first[:, columns] = weights[0][:, :-1] / scale
    first[:, -1] = weights[0][:, -1] - first[:, columns] @ mean
    return Network(first, weights[1][0]) if n_hidden else Network(None, first[0])


def _descend(
    weights: list[FloatArray],
    inputs: FloatArray,
    is_content: BoolArray,
    costs: FloatArray,
    random: np.random.Generator,
) -> None:
    """Change the weights by Adam so that the weighted log loss falls."""
    slopes = [np.zeros_like(weight) for weight in weights]
    squares = [np.zeros_like(weight) for weight in weights]
    n_line = len(inputs)
    for step in range(1, N_STEP + 1):
        rate = RATE * (1 - (step - 1) / N_STEP)
        batch = random.integers(n_line, size=min(n_line, BATCH_LINES))
        gradients = _gradients(weights, inputs[batch], is_content[batch], costs[batch])
        for layer, gradient in enumerate(gradients):
            slopes[layer] += (1 - _DECAYS[0]) * (gradient - slopes[layer])
            squares[layer] += (1 - _DECAYS[1]) * (gradient**2 - squares[layer])
            slope = slopes[layer] / (1 - _DECAYS[0] ** step)
            square = squares[layer] / (1 - _DECAYS[1] ** step)
            weights[layer] -= rate * slope / (np.sqrt(square) + _TINY)


def _gradients(
    weights: list[FloatArray], inputs: FloatArray, is_content: BoolArray, costs: FloatArray
) -> list[FloatArray]:
    """Return the gradient of the mean weighted log loss for each layer's weights."""
    ones = np.ones((len(inputs), 1))
    layers = [np.hstack((inputs, ones))]
    if len(weights) > 1:
        layers.append(np.hstack((np.tanh(layers[0] @ weights[0].T), ones)))
    odds = (layers[-1] @ weights[-1].T)[:, 0]
    error = ((0.5 + 0.5 * np.tanh(odds / 2) - is_content) * costs / len(inputs))[:, None]
    gradients = [error.T @ layers[-1]]
    if len(weights) > 1:
        back = error * weights[1][:, :-1] * (1 - layers[1][:, :-1] ** 2)
        gradients.insert(0, back.T @ layers[0])
    return gradients
