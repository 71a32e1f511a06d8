"""A method that judges pages as it is told to, for tests of what is made of judgements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from thresher.algorithms import Algorithm
from thresher.page import Page
from thresher.roles import ROLES
from thresher.selection import Effect, Judgement, KnownRoles, Selection
from thresher.support.settings import setting

CONFIDENCE: Final = 0.875
EFFECTS: Final = (
    Effect("words", 3.25, 1.5),
    Effect("names", None, -1.25),
    Effect("type_forum", 0.75, 0.5),
    *(Effect("commas", 0.5, 0.5 / n) for n in (2, 4)),
    Effect("ends_sentence", 1.0, 0.0625),
    Effect("in_list", 0.0, 0.0),
)
"""Of every block, the largest first; too many to be told all."""
_BODY, _RELATED = (ROLES.index(role) for role in ("body", "related"))


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of the method."""

    scope: str = setting("auto", "told as part of the reason")
    favor: str = setting("balanced", "told as part of the reason")
    page_type: str = setting("article", "what every page is")
    probability: float = setting(0.75, "how probable that is", low=0, high=1)
    keeps: bool = setting(True, "keep the longest block, or nothing")


def select(page: Page, params: Params) -> Selection:
    """Keep the longest block; the score is its share of the characters of the longest.

    The longest is the body, and all others point to other pages.
    """
    length = np.array([len(page.block_text(block)) for block in range(len(page.blocks))], float)
    score = length / length.max(initial=1)
    return Selection.of_blocks(
        page,
        "judged",
        (score == 1) & params.keeps,
        score=score,
        reason_code=np.zeros(length.size, np.int16),
        reasons=(f"{params.scope}, {params.favor}",),
        judgement=Judgement(
            ((params.page_type, params.probability), ("service", 1 - params.probability)),
            empty_probability=0.125,
            confidence=CONFIDENCE,
        ),
        explain=_explain,
        predict_roles=KnownRoles(np.where(score == 1, _BODY, _RELATED).astype(np.int8)),
    )


def _explain(block: int) -> tuple[Effect, ...]:
    return EFFECTS


JUDGED: Final = Algorithm(select, Params, summary="keeps the longest block", source="tests")
