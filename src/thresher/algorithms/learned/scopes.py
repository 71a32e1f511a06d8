"""Scopes, and how each treats readers' comments."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.roles import SCOPES

__all__ = ["excludes_comments", "includes_comments"]

_FORUM_TYPE: Final = PAGE_TYPES.index("forum")
_FORUM_FROM: Final = {"auto": 0.2, "thread": 0.5, "article": 2.0, "page": 0.0}
"""Forum probability from which comments count as content and are left to the network, by scope:
never for `article`, always for `page`. For `auto`, 0.2 did best of 0.2, 0.5 and "no article" on the
training corpora, by folds (2026-11-22)."""


def excludes_comments(scope: int, types: npt.NDArray[np.float64]) -> bool:
    """Return whether a scope excludes comments, given the probabilities of page types."""
    return SCOPES[scope] != "thread" and not _is_forum(scope, types)


def includes_comments(scope: int, types: npt.NDArray[np.float64]) -> bool:
    """Return whether a scope includes comments even if the network rejects them."""
    return SCOPES[scope] == "thread" and not _is_forum(scope, types)


def _is_forum(scope: int, types: npt.NDArray[np.float64]) -> bool:
    return bool(types[_FORUM_TYPE] >= _FORUM_FROM[SCOPES[scope]])
