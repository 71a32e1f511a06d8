"""What moved the network: its log-odds with each feature, less those with the feature hidden."""

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

__all__ = ["Effects", "RolePredictor"]

_INPUTS: Final = (
    *(feature.name for feature in FEATURES),
    *(f"type_{name}" for name in PAGE_TYPES),
    "names",
)
"""Everything the network sees, in the order in which it can be hidden."""


@dataclass(frozen=True)
class Effects:
    """The effects of features on the blocks of one page; ``effects(block)`` lists them.

    A feature is hidden by giving it its mean over the training pages, a page type by giving it the
    probability 0, names by leaving them out. That is done on all blocks of the page at once, so
    what a block's surroundings tell through a feature counts too. Few ask for effects: the page is
    read once more for those who do, rather than its features held for all.
    """

    page: Page
    model: Model
    scope: int

    def __call__(self, block: int) -> tuple[Effect, ...]:
        """Return what each feature added to a block's log-odds, the largest effect first."""
        values: list[float | None] = [
            *self.inference.features.values[block].tolist(),
            *self.inference.types.tolist(),
            None,
        ]
        effects = map(Effect, _INPUTS, values, self._added[:, block].tolist())
        return tuple(sorted(effects, key=lambda effect: -abs(effect.log_odds)))

    @cached_property
    def inference(self) -> Inference:
        """What the model sees of the page."""
        return self.model.prepare(compute_features(self.page), self.scope)

    @cached_property
    def _added(self) -> npt.NDArray[np.float32]:
        """What each input adds; float32[n_input, n_block]."""
        whole = self.inference.run().log_odds
        return np.stack(
            [whole - self.inference.run(hide=place).log_odds for place in range(len(_INPUTS))]
        )


@dataclass(frozen=True)
class RolePredictor:
    """Tells the roles of a page's blocks when called, by a model that has a network for them.

    Most callers want none: as for effects, the page is read once more for those who do.
    """

    page: Page
    model: Model

    def __call__(self) -> npt.NDArray[np.int8]:
        """Return the code of each block's role; int8[n_block]."""
        roles = self.model.prepare(compute_features(self.page), scope=0).predict_roles()
        assert roles is not None
        return roles
