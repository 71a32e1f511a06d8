"""Effect of each input on the network: its log-odds with the input, minus those without."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.model import Inference, Model
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.features import FEATURES, compute_features
from thresher.judgement import Effect
from thresher.page import Page
from thresher.support.cached import cached_property

_INPUTS: Final = (
    *(feature.name for feature in FEATURES),
    *(f"type_{name}" for name in PAGE_TYPES),
    "names",
)
"""All inputs of the network, in the order of the indices that hide them."""


@dataclass(frozen=True)
class Effects:
    """The effects of features on the blocks of one page; ``effects(block)`` lists them.

    A feature is hidden by setting it to its mean over the training pages, a page type by setting
    its probability to 0, names by leaving them out. All blocks of the page are changed at once, so
    effects through a block's neighbours count too. Few callers ask for effects: the features are
    computed again for those who do, not kept in memory for all.
    """

    page: Page
    model: Model
    scope: int

    def __call__(self, block: int) -> tuple[Effect, ...]:
        """Return what each input added to a block's log-odds, the largest effect first."""
        values: list[float | None] = [
            *self.inference.features.values[block].tolist(),
            *self.inference.types.tolist(),
            None,
        ]
        effects = map(Effect, _INPUTS, values, self._added[:, block].tolist())
        return tuple(sorted(effects, key=lambda effect: -abs(effect.log_odds)))

    @cached_property
    def inference(self) -> Inference:
        """The model applied to the page."""
        return self.model.prepare(compute_features(self.page), self.scope)

    @cached_property
    def _added(self) -> npt.NDArray[np.float32]:
        """The effect of each input; float32[n_input, n_block]."""
        whole = self.inference.run().log_odds
        return np.stack(
            [whole - self.inference.run(hide=place).log_odds for place in range(len(_INPUTS))]
        )
