"""Keep the blocks that a network trained on labelled pages classifies as content: the default.

Source: our own; trained by `thresher train`, described in models/learned.md.
Idea: a small network gives every block the probability that a human would mark it as main content,
from its text, its position, its containers and their names, and its neighbours; another of the same
kind tells its role. A third, the decider, decides which blocks a reader would keep, by the output
of both for the block, for those around it and for the page. Where only the article is wanted,
elements named as readers' comments are left out.
Scope: the reader chooses what counts as main content. `auto` follows the page type, `article`
keeps the article alone, `thread` the article with comments or replies, `page` everything that a
product, listing or collection page is about.
Score: the probability that the block is content.
Known failures: docs/algorithms/learned.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.base import FAVORS
from thresher.algorithms.learned.between import find_between
from thresher.algorithms.learned.comments import excludes_comments, find_comments, includes_comments
from thresher.algorithms.learned.context import PageScores, join_log_odds
from thresher.algorithms.learned.decide import decide
from thresher.algorithms.learned.model import Inference, Model
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.reasons import REASONS, Effects, Reason
from thresher.algorithms.learned.repeated import drop_repeated
from thresher.algorithms.learned.roles import find_out_of_scope, pick_roles, weigh_text_roles
from thresher.analysis.obstacles import find_obstacle
from thresher.analysis.stated_parts import apply_stated_parts
from thresher.deadline import check_deadline
from thresher.errors import UsageError
from thresher.features import compute_features
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of
from thresher.roles import SCOPES
from thresher.selection import Judgement, KnownRoles, Selection
from thresher.support.quoting import quote
from thresher.support.settings import setting

__all__ = ["SHIPPED_MODEL", "Params", "select"]

FloatArray = npt.NDArray[np.float64]

SHIPPED_MODEL: Final = Path(__file__).parents[2] / "models" / "learned.npz"
"""The weights that ship with Thresher."""
_REPLY_PROBABILITY: Final = 0.75
"""Lower bound of a comment's probability under `thread` on pages other than forums: no label has
comments below an article, so this value is chosen, not fitted."""
_REPLY_LOG_ODDS: Final = 1.5
"""The same for the network's log-odds."""
_MAX_BETA: Final = 16.0
_MAX_MODELS: Final = 8
"""Models cached in memory."""

_FORM: Final = flags_of("form")
_REASON_OF: Final = np.array(
    [Reason.BOILERPLATE, Reason.BEYOND, Reason.REACHED, Reason.CONTENT], np.int16
)
"""Reason of a block, indexed by 2 · is kept + is probably content."""


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of `learned`."""

    scope: str = setting(
        "auto",
        "auto: what the kind of page suggests; article: the story alone; thread: the story with"
        " comments or replies; page: all of a product, listing or collection page",
        choices=SCOPES,
    )
    favor: str = setting(
        "balanced",
        "precision, recall, balanced, or the β of the F-measure to maximise: below 1 keeps less,"
        " above 1 more",
    )
    model: str = setting("", "file of weights made by `thresher train`; empty: those shipped")


def select(
    page: Page, params: Params | None = None, repeated: FloatArray | None = None
) -> Selection:
    """Keep the blocks that a reader would probably keep; score: probability of content.

    ``repeated`` float64[n_block] is the share of other pages of the site that have each block's
    text in the same place (`thresher.sites`); None if nothing is known about the site.

    Raises UsageError for an unknown scope or favor, or a model that cannot be read.
    """
    params = params or Params()
    if params.scope not in SCOPES:
        raise UsageError(f"scope must be one of {', '.join(SCOPES)}, not {quote(params.scope)}")
    scope = SCOPES.index(params.scope)
    model = _load(params.model or str(SHIPPED_MODEL))
    beta = _read_beta(params.favor) * model.beta
    n_block = len(page.blocks)
    if not n_block:
        return Selection.of_nothing(page, "learned", reason=REASONS[Reason.EMPTY])
    features = compute_features(page, model.scale)
    check_deadline()
    inference = model.prepare(features, scope)
    roles = inference.score_roles()
    log_odds = inference.run(is_last=True).astype(np.float64)
    out_of_scope = find_out_of_scope(roles, params.scope)
    text_roles = weigh_text_roles(roles)
    if model.active_decider:
        log_odds = join_log_odds(log_odds, text_roles, inference.types)
    check_deadline()
    comments, replies = _split_comments(page, inference)
    if model.adapter and scope == 0:  # the user's own labels decide
        comments = replies = np.zeros(n_block, np.bool_)
    log_odds[comments] = -np.inf
    log_odds[replies] = np.maximum(log_odds[replies], _REPLY_LOG_ODDS)
    scores = PageScores.of(
        features, log_odds=log_odds, roles=roles, types=inference.types, scope=scope
    )
    decision = decide(model, scores, beta)
    if repeated is not None:
        decision = drop_repeated(
            decision, repeated, page=page, model=model, scores=scores, beta=beta
        )
    probability = decision.probability
    probability[replies] = np.maximum(probability[replies], _REPLY_PROBABILITY)
    allowed = ~(comments | out_of_scope)
    obstacle = find_obstacle(page)
    if obstacle or decision.is_empty:
        keep = np.zeros(n_block, np.bool_)
        reason = np.full(n_block, Reason.OBSTACLE if obstacle else Reason.EMPTY)
        if not obstacle:
            _keep_picture(page, keep, reason)
        confidence = max(decision.empty_probability, obstacle.confidence if obstacle else 0.0)
    else:
        kept = (decision.keep | replies) & allowed
        between = find_between(
            page, features, kept, probability=probability, roles=text_roles, allowed=allowed
        )
        keep = kept | between
        reason = _REASON_OF.take(2 * keep + (probability >= 0.5))
        reason[decision.keep & ~keep] = Reason.FOREIGN
        reason[comments & ~keep] = Reason.COMMENT
        reason[between] = Reason.BETWEEN
        confidence = decision.confidence
    types = zip(PAGE_TYPES, inference.types.tolist(), strict=True)
    ranked = sorted(types, key=lambda pair: -pair[1])
    selection = Selection.of_blocks(
        page,
        "learned",
        keep,
        score=probability,
        reason_code=reason,
        reasons=REASONS,
        judgement=Judgement(tuple(ranked), decision.empty_probability, confidence),
        explain=Effects(page, model, scope),
        predict_roles=KnownRoles(pick_roles(roles)) if model.roles else None,
    )
    return apply_stated_parts(selection, allowed)


def _keep_picture(page: Page, keep: BoolArray, reason: npt.NDArray[np.int64]) -> None:
    """Keep the picture that a page without a text is about, if there is one, in place."""
    from thresher.analysis.pictures import find_lone_picture  # seldom

    picture = find_lone_picture(page)
    if picture >= 0:
        keep[picture], reason[picture] = True, Reason.PICTURE


def _split_comments(page: Page, inference: Inference) -> tuple[BoolArray, BoolArray]:
    """Flag the readers' comments that the scope excludes, and those it includes; bool[n_block].

    On forums comments are the content and left to the network, except under the scope `article`.
    """
    nothing = np.zeros(len(page.blocks), np.bool_)
    leaves = excludes_comments(inference.scope, inference.types)
    asks = includes_comments(inference.scope, inference.types)
    if not leaves and not asks:
        return nothing, nothing
    comments = find_comments(page, inference.features)
    if leaves:
        return comments, nothing
    plain = page.blocks.sums(page.leaf_words - page.leaf_link_words) > 0
    return nothing, comments & plain & ~page.within(_FORM[page.tag])[page.block_leaf]


def _read_beta(favor: str) -> float:
    """Return the β for a word or number; UsageError if it is neither."""
    if favor in FAVORS:
        return FAVORS[favor]
    try:
        beta = float(favor)
    except ValueError:
        beta = -1.0
    if not 0 < beta <= _MAX_BETA:
        raise UsageError(
            f"favor must be one of {', '.join(FAVORS)} or a β above 0 and at most {_MAX_BETA:g},"
            f" not {quote(favor)}"
        )
    return beta


@lru_cache(_MAX_MODELS)
def _load(path: str) -> Model:
    """Read a model, once per process: a rewritten file needs another name to be seen."""
    return Model.load(Path(path))
