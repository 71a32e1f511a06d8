"""Helpers for tests of features: features of a page, by name."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thresher.features import FEATURES, compute_features
from thresher.page.parse import parse

STORY = "The mill stands by the river and grinds on, day and night, for the whole of the valley."
"""A block of prose: 18 words, no link."""


def measure(html: str) -> dict[str, npt.NDArray[np.float32]]:
    """Return each feature's column of a page."""
    values = compute_features(parse(html)).values
    return {feature.name: values[:, i] for i, feature in enumerate(FEATURES)}
