"""Helpers for tests of features: features of a page, by name."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thresher.features import FEATURES, compute_features
from thresher.features.base import Counts
from thresher.features.block import count
from thresher.features.characters import read_characters
from thresher.features.container_chain import find_containers
from thresher.page.parse import parse

__all__ = ["STORY", "count_page", "measure"]

STORY = "The mill stands by the river and grinds on, day and night, for the whole of the valley."
"""A block of prose: 18 words, no link."""


def measure(html: str) -> dict[str, npt.NDArray[np.float32]]:
    """Return each feature's column of a page."""
    values = compute_features(parse(html)).values
    return {feature.name: values[:, i] for i, feature in enumerate(FEATURES)}


def count_page(html: str) -> Counts:
    """Return the counts of a page's blocks."""
    page = parse(html)
    return count(page, read_characters(page), find_containers(page))
