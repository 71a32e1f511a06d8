"""The table of all features: every column of the matrix, in order."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features import block, containers, neighbours, path, place, siblings, whole, wording
from thresher.features.base import Feature, FeatureKind

FEATURES: Final[tuple[Feature, ...]] = (
    *block.FEATURES,
    *path.FEATURES,
    *containers.FEATURES,
    *siblings.FEATURES,
    *place.FEATURES,
    *neighbours.FEATURES,
    *wording.FEATURES,
    *whole.FEATURES,
)
"""Every column of the matrix, in order."""
ROWS_OF: Final[dict[FeatureKind, npt.NDArray[np.intp]]] = {
    kind: np.flatnonzero([feature.kind == kind for feature in FEATURES])
    for kind in ("log", "share", "value")
}
"""Their numbers by how they are computed."""
