"""Roles from the network's scores: the most probable role, and blocks outside a scope."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page.rows import BoolArray
from thresher.roles import ROLES, SCOPE_ROLES

__all__ = ["find_out_of_scope", "pick_roles"]

FloatArray = npt.NDArray[np.float32]

_STEPS: Final = 2.0**10
"""Scores are rounded to 1 / this: libraries differ in the last bits of sums."""
_WANTED: Final = SCOPE_ROLES["thread"] | SCOPE_ROLES["page"]
"""Roles that any explicit scope includes."""
_SURE: Final = 0.9
"""Probability of excluded roles from which a block is dropped."""


def pick_roles(scores: FloatArray) -> npt.NDArray[np.int8]:
    """Return the most probable role of each block; ``scores`` [n_block, n_role] → int8[n_block]."""
    return np.asarray(np.rint(scores * _STEPS).argmax(axis=1).astype(np.int8))


def find_out_of_scope(scores: FloatArray, scope: str) -> BoolArray:
    """Flag the blocks that are almost certainly of roles only in other scopes; bool[n_block]."""
    left_out = [
        place
        for place, role in enumerate(ROLES)
        if role in _WANTED and role not in SCOPE_ROLES[scope]
    ]
    if not left_out or scope == "auto":
        return np.zeros(len(scores), np.bool_)
    power = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(power[:, left_out].sum(axis=1) >= _SURE * power.sum(axis=1))
