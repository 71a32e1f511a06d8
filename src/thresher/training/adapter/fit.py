"""Fit what is added to the shipped network, held near nothing: few pages move it little.

The log loss of blocks, each page counting the same, is made small by Adam, with a penalty on the
squares of the weights (ridge; Hoerl and Kennard 1970). Without any pages the weights are 0, and the
model says what the shipped one says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.adapter import KINDS, Adapter, gather_inputs
from thresher.algorithms.learned.calibration import Calibration
from thresher.algorithms.learned.model import Model
from thresher.errors import UsageError
from thresher.training.adapter.examples import AdapterExample
from thresher.training.perceptrons import SEED, descend, find_gradients

__all__ = ["MAX_WEIGHT", "Recipe", "adapt", "weigh"]

FloatArray = npt.NDArray[np.float64]

N_HIDDEN: Final = 16
"""Hidden neurons of an mlp."""
N_STEP: Final = 500
BATCH_BLOCKS: Final = 1024
RATE: Final = 0.02
"""First step of Adam; it falls to 0 linearly."""
PENALTY_PAGES: Final = 2.0
"""What weights whose squares add up to 2 cost, in pages. Of 0.5, 2, 8 and 32, for 10 to 150 pages
of the corpora fundus_tests, newspaper4k_424 and magic_html, with networks that never saw their
sites, 8 and 32 lost less with 20 pages (0.3 points of F1 against 0.5), and 2 gained as much or more
with 150 (0.7 to 1); a rule of the reader's own, that bylines are content, it alone learned from 20
pages (2026-11-22)."""
SCRATCH_PENALTY_PAGES: Final = 1.0
"""The same from scratch, where 0.5 and 2 did best."""
EVEN_WEIGHT: Final = 0.3
"""What the blocks of a page count, each the same, beside its tokens, which count 1."""
MAX_WEIGHT: Final = 100.0
"""Largest weight of one error against the other: beyond, next to nothing is kept, or all."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is fitted; UsageError for a kind or weight that there is not."""

    kind: str = KINDS[0]
    """One of `KINDS`."""
    false_positive_weight: float = 1.0
    """What a word kept wrongly costs, against 1 for one dropped wrongly."""
    from_scratch: bool = False
    """Learn from features alone, and not from what the shipped network says."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"kind must be one of {', '.join(KINDS)}, not {self.kind!r}")
        if not 1 / MAX_WEIGHT <= self.false_positive_weight <= MAX_WEIGHT:
            raise UsageError(
                f"the weight of false positives must be within {1 / MAX_WEIGHT:g} and"
                f" {MAX_WEIGHT:g}, not {self.false_positive_weight:g}"
            )

    @property
    def beta(self) -> float:
        """The β of the F-measure in which errors count like that: F_β weighs a miss β² times."""
        return float(self.false_positive_weight**-0.5)


def adapt(base: Model, examples: Sequence[AdapterExample], recipe: Recipe) -> Model:
    """Fit to some pages; the same pages give the same weights on one machine."""
    start = 0.0 if recipe.from_scratch else 1.0
    random = np.random.default_rng(SEED)
    weights = _first_weights(recipe.kind, examples[0].standard.shape[1] + 2, random)
    inputs = np.concatenate([_inputs_of(example, start) for example in examples])
    share = np.concatenate([example.share for example in examples]).astype(np.float64)
    drawn = np.cumsum(np.concatenate([_weigh_blocks(example) for example in examples]))
    costs = share + (1 - share) * recipe.false_positive_weight
    target = share / costs
    pages = SCRATCH_PENALTY_PAGES if recipe.from_scratch else PENALTY_PAGES
    penalty = pages / len(examples)

    def draw() -> list[FloatArray]:
        # Blocks are drawn by what they count, so all that are drawn count the same.
        at = np.searchsorted(drawn, random.random(BATCH_BLOCKS) * drawn[-1], side="right")
        values = inputs[at].astype(np.float64)
        of_batch = costs[at] / BATCH_BLOCKS
        gradients = find_gradients(
            weights, values, target[at], of_batch, start=start * values[:, -1]
        )
        for weight, gradient in zip(weights, gradients, strict=True):
            gradient[:, :-1] += penalty * weight[:, :-1]
        return gradients

    descend(weights, draw, n_step=N_STEP, rate=RATE)
    output = weights[-1][0].copy()
    # Costs move the odds of all blocks alike; what is kept is decided by β, on true probabilities.
    output[-1] += log(recipe.false_positive_weight)
    hidden = weights[0] if len(weights) > 1 else np.zeros((0, weights[0].shape[1]))
    calibration = base.calibration
    adapter = Adapter(
        np.array(start), calibration.block_slope, calibration.block_shift, hidden, output
    )
    calibration = _recalibrate(calibration)
    return replace(base, adapter=adapter, calibration=calibration, chooser=None, beta=recipe.beta)


def weigh(model: Model, example: AdapterExample) -> FloatArray:
    """Return what the model's choice of blocks takes for their probabilities; float64[n_block]."""
    calibration, adapter = model.calibration, model.adapter
    log_odds = example.of_network
    if adapter is None:
        slope, shift = calibration.block_slope[0], calibration.block_shift[0]
        log_odds = ((log_odds - shift) / slope).astype(np.float32)
    else:
        log_odds = adapter.of_calibrated(example.standard, log_odds)
    return calibration.choice_weight(log_odds, 0)


def _recalibrate(calibration: Calibration) -> Calibration:
    """Return the calibration of log-odds that are probabilities already."""
    slope = calibration.choice_slope / calibration.block_slope
    return replace(
        calibration,
        block_slope=np.ones_like(slope),
        block_shift=np.zeros_like(slope),
        choice_slope=slope,
        choice_shift=calibration.choice_shift - calibration.block_shift * slope,
    )


def _first_weights(kind: str, n_input: int, random: np.random.Generator) -> list[FloatArray]:
    """Return weights that add nothing."""
    if kind == KINDS[0]:
        return [np.zeros((1, n_input))]
    return [random.normal(0, n_input**-0.5, (N_HIDDEN, n_input)), np.zeros((1, N_HIDDEN + 1))]


def _inputs_of(example: AdapterExample, start: float) -> npt.NDArray[np.float32]:
    """Return what is seen of each block, without the 1 of the bias."""
    inputs = gather_inputs(example.standard, example.of_network, start=start)
    return inputs[:, :-1].astype(np.float32)


def _weigh_blocks(example: AdapterExample) -> FloatArray:
    """Return what each block counts, 1 + `EVEN_WEIGHT` a page; float64[n_block]."""
    weight = example.weight.astype(np.float64)
    labelled = (weight > 0).astype(np.float64)
    even = EVEN_WEIGHT * labelled / max(labelled.sum(), 1)
    return np.asarray(weight / max(weight.sum(), 1) + even)
