"""Why the method `learned` keeps or drops a block: codes of reasons, and effects of features."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.model import Inference, Model
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.features import FEATURES, compute_features
from thresher.page import Page
from thresher.selection import Effect
from thresher.support.cached import cached_property


class Reason(IntEnum):
    """Codes of reasons: indices in `REASONS`."""

    CONTENT = 0
    REACHED = 1
    BOILERPLATE = 2
    BEYOND = 3
    EMPTY = 4
    OBSTACLE = 5
    COMMENT = 6
    BETWEEN = 7
    FOREIGN = 8
    PICTURE = 9


COMMENT_REASON: Final = "readers' comments, outside the scope"
"""Reason of the blocks that are left out as readers' comments."""
_TEXTS: Final = {
    Reason.CONTENT: "content",
    Reason.REACHED: "kept beside surer blocks: the page's best choice reaches down to it",
    Reason.BOILERPLATE: "boilerplate",
    Reason.BEYOND: "as likely content as not, but the page's best choice ends before it",
    Reason.EMPTY: "the page seems to have no main content",
    Reason.OBSTACLE: "the page is blocked, or its content is not in its HTML",
    Reason.COMMENT: COMMENT_REASON,
    Reason.BETWEEN: "between kept blocks, and not surely anything else",
    Reason.FOREIGN: "of a role that the scope leaves out",
    Reason.PICTURE: "the picture that the page is about",
}
REASONS: Final = tuple(_TEXTS[reason] for reason in Reason)
"""What is said of a block, by code."""


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
        whole = self.inference.run()
        return np.stack([whole - self.inference.run(hide=place) for place in range(len(_INPUTS))])
