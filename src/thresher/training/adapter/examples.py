"""Training examples: inputs of each block, and the share of its tokens that is gold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.decide import choose
from thresher.algorithms.learned.model import Model
from thresher.evaluation.alignment import align_blocks
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.folds import site_of
from thresher.evaluation.metrics import Score
from thresher.features import compute_features
from thresher.features.inputs import standardise
from thresher.page.parse import parse

__all__ = ["AUTO", "AdapterExample", "make_examples"]

FloatArray = npt.NDArray[np.float32]

AUTO: Final = 0
"""The scope of a user's own labels, which define content themselves."""
_MIN_RECALL: Final = 0.5
"""Share of the gold that must be on the page; below it the label belongs to another page."""


@dataclass(frozen=True, slots=True, eq=False)
class AdapterExample:
    """One labelled page, without its HTML; arrays have one entry per block."""

    corpus: str
    id: str
    site: str
    standard: FloatArray
    """Features of mean 0 and deviation 1; float32[n_block, n_feature]."""
    of_network: FloatArray
    """The network's calibrated log-odds; float32[n_block]."""
    words: npt.NDArray[np.int64]
    weight: FloatArray
    """Tokens of each block; 0 for copies of content, which are not scored."""
    share: FloatArray
    """Share of each block's tokens that is in the gold."""
    n_gold: float
    """Tokens of the gold."""

    def measure(self, weight: npt.NDArray[np.float64], *, beta: float) -> Score:
        """Score the blocks chosen by probabilities ``weight``, float64[n_block]."""
        keep = choose(weight, self.words, beta=beta).keep
        kept = float(self.weight[keep].sum())
        found = float((self.weight[keep] * self.share[keep]).sum())
        if not kept and not self.n_gold:
            return Score(1.0, 1.0, 1.0)
        return Score(
            found / kept if kept else 0.0,
            found / self.n_gold if self.n_gold else 0.0,
            2 * found / (kept + self.n_gold),
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
    alignment = align_blocks(page, gold)
    if alignment is None or (gold.strip() and alignment.recall < _MIN_RECALL):
        return None
    features = compute_features(page)
    log_odds = base.prepare(features, AUTO).run().log_odds
    calibration = base.calibration
    calibrated = log_odds * calibration.block_slope[AUTO] + calibration.block_shift[AUTO]
    n_gold = float(alignment.matched.sum()) / max(alignment.recall, 1e-9)
    return AdapterExample(
        labelled.corpus,
        labelled.id,
        site_of(labelled),
        standardise(features.values, base.network.scale),
        calibrated.astype(np.float32),
        features.words,
        np.where(alignment.is_copy, 0, alignment.tokens).astype(np.float32),
        alignment.share,
        n_gold if gold.strip() else 0.0,
    )
