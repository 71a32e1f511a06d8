"""Roles from the network's scores: the most probable one, those of text, those out of scope."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.page.rows import BoolArray
from thresher.roles import ROLES, SCOPE_ROLES

FloatArray = npt.NDArray[np.float32]

_STEPS: Final = 2.0**10
"""Scores are rounded to 1 / this: libraries differ in the last bits of sums."""
_WANTED: Final = SCOPE_ROLES["thread"] | SCOPE_ROLES["page"]
"""Roles that any explicit scope includes."""
_TEXT: Final = [ROLES.index(role) for role in ("body", "table", "code")]
_CREDIT: Final = [ROLES.index(role) for role in ("byline", "date")]
_CAPTION: Final = [ROLES.index("caption")]
_COMMENT: Final = ROLES.index("comment")
_FOREIGN: Final = [ROLES.index(role) for role in ROLES if role not in _WANTED]
_SURE: Final = 0.9
"""Probability of excluded roles from which a block is dropped."""


def pick_roles(scores: FloatArray) -> npt.NDArray[np.int8]:
    """Return the most probable role of each block; ``scores`` [n_block, n_role] → int8[n_block]."""
    return np.asarray(np.rint(scores * _STEPS).argmax(axis=1).astype(np.int8))


def find_out_of_scope(scores: FloatArray, scope: str) -> BoolArray:
    """Flag the blocks that are almost certainly of roles only in other scopes; bool[n_block]."""
    if scope == "auto":
        return np.zeros(len(scores), np.bool_)
    left_out = [
        place
        for place, role in enumerate(ROLES)
        if role in _WANTED and role not in SCOPE_ROLES[scope]
    ]
    return np.asarray(_to_probabilities(scores)[:, left_out].sum(axis=1) >= _SURE)


class TextRoles(NamedTuple):
    """Probabilities of roles around and in a text; float64[n_block] each."""

    text: npt.NDArray[np.float64]
    """To be part of the text: body, table or code."""
    credit: npt.NDArray[np.float64]
    """To be a byline or date."""
    caption: npt.NDArray[np.float64]
    """To be a caption, or a picture of the text."""
    comment: npt.NDArray[np.float64]
    """To be a reader's comment, or a post of a forum."""
    foreign: npt.NDArray[np.float64]
    """To belong to no scope: related pages, navigation, advertisement and the like."""


def weigh_text_roles(scores: FloatArray) -> TextRoles:
    """Return the probabilities of the roles that a text consists of."""
    probability = _to_probabilities(scores)
    kinds = _TEXT, _CREDIT, _CAPTION, _FOREIGN
    text, credit, caption, foreign = (probability[:, roles].sum(axis=1) for roles in kinds)
    return TextRoles(text, credit, caption, probability[:, _COMMENT], foreign)


def _to_probabilities(scores: FloatArray) -> npt.NDArray[np.float64]:
    """Return the probability of each role; float64[n_block, n_role]."""
    power = np.exp(scores - scores.max(axis=1, keepdims=True), dtype=np.float64)
    return np.asarray(power / power.sum(axis=1, keepdims=True))
