"""Fitting of small perceptrons with one output: no framework, reproducible weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.classics.density_lines import MAX_ATTRIBUTES, MAX_LINES, LinePerceptron
from thresher.page.rows import BoolArray

FloatArray = npt.NDArray[np.float64]

SEED: Final = 2007
"""Seed of the initial weights and of the lines drawn in each step."""
N_STEP: Final = 1200
BATCH_LINES: Final = 4096
RATE: Final = 0.02
"""Initial step of Adam; it decreases linearly to 0."""
_DECAYS: Final = (0.9, 0.999)
"""β1 and β2 of Adam (Kingma and Ba 2015, section 2)."""
_TINY: Final = 1e-8
"""ε of Adam (ibid.)."""


def fit(
    features: FloatArray,
    is_content: BoolArray,
    *,
    n_line: int,
    n_attribute: int,
    n_hidden: int,
    false_positive_weight: float = 1.0,
) -> LinePerceptron:
    """Fit a network on some lines and attributes by log loss; ``n_hidden`` 0: no hidden layer.

    Adam, each step on lines drawn at random with a fixed seed. Inputs are standardised for fitting;
    the returned weights apply to raw inputs, and are 0 for unused ones.
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

    def draw() -> list[FloatArray]:
        batch = random.integers(len(inputs), size=min(len(inputs), BATCH_LINES))
        batch_costs = costs[batch] / len(batch)
        return find_gradients(weights, inputs[batch], is_content[batch], batch_costs)

    descend(weights, draw, n_step=N_STEP)

    first = np.zeros((n_first, seen.size + 1))
    first[:, columns] = weights[0][:, :-1] / scale
    first[:, -1] = weights[0][:, -1] - first[:, columns] @ mean
    return LinePerceptron(first, weights[1][0]) if n_hidden else LinePerceptron(None, first[0])


def descend(
    weights: list[FloatArray], draw: Callable[[], list[FloatArray]], *, n_step: int
) -> None:
    """Minimise a loss by Adam, in place; ``draw`` returns the gradients of a random batch."""
    slopes = [np.zeros_like(weight) for weight in weights]
    squares = [np.zeros_like(weight) for weight in weights]
    for step in range(1, n_step + 1):
        size = RATE * (1 - (step - 1) / n_step)
        for layer, gradient in enumerate(draw()):
            slopes[layer] += (1 - _DECAYS[0]) * (gradient - slopes[layer])
            squares[layer] += (1 - _DECAYS[1]) * (gradient**2 - squares[layer])
            slope = slopes[layer] / (1 - _DECAYS[0] ** step)
            square = squares[layer] / (1 - _DECAYS[1] ** step)
            weights[layer] -= size * slope / (np.sqrt(square) + _TINY)


def find_gradients(
    weights: list[FloatArray],
    inputs: FloatArray,
    target: FloatArray | BoolArray,
    costs: FloatArray,
    *,
    start: FloatArray | float = 0.0,
) -> list[FloatArray]:
    """Return the gradient of the weighted log loss for each layer's weights.

    ``weights`` are one layer or two, [n_neuron, n_input + 1], the last weight of each neuron its
    bias. ``target`` [n] is from 0 to 1, ``costs`` [n] are weights, ``start`` [n] are log-odds added
    to the network's.
    """
    ones = np.ones((len(inputs), 1))
    layers = [np.hstack((inputs, ones))]
    if len(weights) > 1:
        layers.append(np.hstack((np.tanh(layers[0] @ weights[0].T), ones)))
    odds = (layers[-1] @ weights[-1].T)[:, 0] + start
    error = ((0.5 + 0.5 * np.tanh(odds / 2) - target) * costs)[:, None]
    gradients = [error.T @ layers[-1]]
    if len(weights) > 1:
        back = error * weights[1][:, :-1] * (1 - layers[1][:, :-1] ** 2)
        gradients.insert(0, back.T @ layers[0])
    return gradients
