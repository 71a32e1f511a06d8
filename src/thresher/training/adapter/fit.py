"""Fitting of an adapter to the shipped network, regularised so that few pages change little.

An example has the inputs of each block of a labelled page, and the share of its tokens that is
gold. Adam minimises the log loss of blocks, with equal weight for each page and a penalty on the
squares of the weights (ridge; Hoerl and Kennard 1970). With weights of 0, the model equals the
shipped one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.adapter import KINDS, Adapter, gather_inputs
from thresher.algorithms.learned.calibration import Calibration
from thresher.algorithms.learned.decide import choose
from thresher.algorithms.learned.model import Model
from thresher.errors import UsageError
from thresher.evaluation.alignment import align_label
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.folds import site_of
from thresher.evaluation.metrics import Score
from thresher.features import compute_features
from thresher.features.inputs import standardise
from thresher.page.parse import parse
from thresher.support.quoting import quote
from thresher.training.perceptrons import SEED, descend, find_gradients

Float32Array = npt.NDArray[np.float32]
AUTO: Final = 0
"""The scope of a user's own labels, which define content themselves."""
FloatArray = npt.NDArray[np.float64]
N_HIDDEN: Final = 16
"""Hidden neurons of an mlp."""
N_STEP: Final = 500
BATCH_BLOCKS: Final = 1024
PENALTY_PAGES: Final = 2.0
"""Penalty, in pages, of weights whose squares sum to 2. Of 0.5, 2, 8 and 32, for 10 to 150 pages
of the corpora fundus_tests, newspaper4k_424 and magic_html, with networks that never saw their
sites, 8 and 32 lost less with 20 pages (0.3 points of F1 against 0.5), and 2 gained as much or more
with 150 (0.7 to 1); only 2 learned a user's own rule, that bylines are content, from 20 pages
(2026-11-22)."""
SCRATCH_PENALTY_PAGES: Final = 1.0
"""The same when training from scratch, where 0.5 and 2 did best."""
EVEN_WEIGHT: Final = 0.3
"""Weight of a page's blocks, counted equally, relative to its tokens."""
MAX_WEIGHT: Final = 100.0
"""Largest ratio of the two error weights; beyond, almost nothing or everything is kept."""


@dataclass(frozen=True, slots=True, eq=False)
class AdapterExample:
    """One labelled page, without its HTML; arrays have one entry per block."""

    corpus: str
    id: str
    site: str
    standard: Float32Array
    """Features of mean 0 and deviation 1; float32[n_block, n_feature]."""
    of_network: Float32Array
    """The network's calibrated log-odds; float32[n_block]."""
    words: npt.NDArray[np.int64]
    weight: Float32Array
    """Tokens of each block; 0 for copies of content, which are not scored."""
    share: Float32Array
    """Share of each block's tokens that is in the gold."""
    n_gold: float
    """Tokens of the gold."""

    def measure(self, weight: npt.NDArray[np.float64], *, beta: float) -> Score:
        """Score the blocks chosen by probabilities ``weight``, float64[n_block]."""
        keep = choose(weight, self.words, beta=beta).keep
        kept = float(self.weight[keep].sum())
        shared = float((self.weight[keep] * self.share[keep]).sum())
        if not kept and not self.n_gold:
            return Score(1.0, 1.0, 1.0)
        return Score(
            shared / kept if kept else 0.0,
            shared / self.n_gold if self.n_gold else 0.0,
            2 * shared / (kept + self.n_gold),
        )


def make_examples(pages: Iterable[LabelledPage], base: Model) -> Iterator[AdapterExample | None]:
    """Yield an example for every labelled page in order, None if its label is not found in it.

    Pages without a label are skipped.
    """
    for page in pages:
        if page.text is not None:
            yield _make_example(page, page.text, base)


def _make_example(labelled: LabelledPage, gold: str, base: Model) -> AdapterExample | None:
    page = parse(labelled.html, url=labelled.url)
    if not len(page.blocks):
        return None
    alignment = align_label(page, gold)
    if alignment is None:
        return None
    features = compute_features(page)
    log_odds = base.prepare(features, AUTO).run()
    calibration = base.calibration
    calibrated = log_odds * calibration.block_slope[AUTO] + calibration.block_shift[AUTO]
    return AdapterExample(
        labelled.corpus,
        labelled.id,
        site_of(labelled),
        standardise(features.values, base.network.scale),
        calibrated.astype(np.float32),
        features.words,
        alignment.weight,
        alignment.share,
        alignment.n_gold,
    )


@dataclass(frozen=True, slots=True)
class Recipe:
    """Settings of the fit; UsageError for an unknown kind or a weight out of range."""

    kind: str = KINDS[0]
    """One of `KINDS`."""
    false_positive_weight: float = 1.0
    """Cost of a false positive word relative to a false negative one."""
    from_scratch: bool = False
    """Train on features alone, without the shipped network's output."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"kind must be one of {', '.join(KINDS)}, not {quote(self.kind)}")
        if not 1 / MAX_WEIGHT <= self.false_positive_weight <= MAX_WEIGHT:
            raise UsageError(
                f"the weight of false positives must be within {1 / MAX_WEIGHT:g} and"
                f" {MAX_WEIGHT:g}, not {self.false_positive_weight:g}"
            )

    @property
    def beta(self) -> float:
        """The β of the F-measure with these error weights: F_β weighs a false negative β² times."""
        return float(self.false_positive_weight**-0.5)


def adapt(base: Model, examples: Sequence[AdapterExample], recipe: Recipe) -> Model:
    """Fit an adapter to some pages; deterministic on one machine."""
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
        # Blocks are drawn in proportion to their weights, so all drawn blocks count the same.
        at = np.searchsorted(drawn, random.random(BATCH_BLOCKS) * drawn[-1], side="right")
        values = inputs[at].astype(np.float64)
        of_batch = costs[at] / BATCH_BLOCKS
        gradients = find_gradients(
            weights, values, target[at], of_batch, start=start * values[:, -1]
        )
        for weight, gradient in zip(weights, gradients, strict=True):
            gradient[:, :-1] += penalty * weight[:, :-1]
        return gradients

    descend(weights, draw, n_step=N_STEP)
    output = weights[-1][0].copy()
    # Costs shift the odds of all blocks alike. Undo that: β decides, on true probabilities.
    output[-1] += log(recipe.false_positive_weight)
    hidden = weights[0] if len(weights) > 1 else np.zeros((0, weights[0].shape[1]))
    calibration = base.calibration
    adapter = Adapter(
        np.array(start), calibration.block_slope, calibration.block_shift, hidden, output
    )
    calibration = _recalibrate(calibration)
    return replace(base, adapter=adapter, calibration=calibration, decider=None, beta=recipe.beta)


def weigh(model: Model, example: AdapterExample) -> FloatArray:
    """Return the block probabilities used by the model's choice of blocks; float64[n_block]."""
    calibration, adapter = model.calibration, model.adapter
    log_odds = example.of_network
    if adapter is None:
        slope, shift = calibration.block_slope[0], calibration.block_shift[0]
        log_odds = ((log_odds - shift) / slope).astype(np.float32)
    else:
        log_odds = adapter.of_calibrated(example.standard, log_odds)
    return calibration.choice_weight(log_odds, 0)


def _recalibrate(calibration: Calibration) -> Calibration:
    """Return the calibration for log-odds that are calibrated already."""
    slope = calibration.choice_slope / calibration.block_slope
    return replace(
        calibration,
        block_slope=np.ones_like(slope),
        block_shift=np.zeros_like(slope),
        choice_slope=slope,
        choice_shift=calibration.choice_shift - calibration.block_shift * slope,
    )


def _first_weights(kind: str, n_input: int, random: np.random.Generator) -> list[FloatArray]:
    if kind == KINDS[0]:
        return [np.zeros((1, n_input))]
    return [random.normal(0, n_input**-0.5, (N_HIDDEN, n_input)), np.zeros((1, N_HIDDEN + 1))]


def _inputs_of(example: AdapterExample, start: float) -> npt.NDArray[np.float32]:
    inputs = gather_inputs(example.standard, example.of_network, start=start)
    return inputs[:, :-1].astype(np.float32)


def _weigh_blocks(example: AdapterExample) -> FloatArray:
    """Return the weight of each block, summing to 1 + `EVEN_WEIGHT`; float64[n_block]."""
    weight = example.weight.astype(np.float64)
    labelled = (weight > 0).astype(np.float64)
    even = EVEN_WEIGHT * labelled / max(labelled.sum(), 1)
    return np.asarray(weight / max(weight.sum(), 1) + even)
