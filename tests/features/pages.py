"""What tests of features share: features of a page by name."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thresher.features import FEATURES, compute_features
from thresher.parse import parse

__all__ = ["measure"]


def measure(html: str) -> dict[str, npt.NDArray[np.float32]]:
    """Return each feature's column of a page."""
    values = compute_features(parse(html)).values
    return {feature.name: values[:, i] for i, feature in enumerate(FEATURES)}
