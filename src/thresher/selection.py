"""Selection: which leaves of a page are main content, with a score and a reason for every block.

Algorithms decide on different units: an element, a block, a line. Each lifts its decision to a
mask over leaves with one of the constructors here, so that results can be compared and combined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.page import Page
from thresher.page.hidden import Hidden
from thresher.page.rows import BoolArray
from thresher.page.tags import BLOCK, TEXT, flags_of
from thresher.roles import NO_ROLE, ROLES
from thresher.support.cached import cached_property

ENOUGH_WORDS: Final = 250
"""Kept words from which a page is assumed to show its content; teasers have up to 150. For a page
with fewer, `thresher.analysis.embedded` searches the script data."""

DROPPED_BY_RULE: Final = "dropped by a rule of the site"
"""Reason of the blocks that the user's rules exclude: nothing may bring them back."""
_ASKED_FOR: Final = "of a role that was asked for"
_HIDDEN: Final = "hidden, and nothing on the page shows it"
_TEXTS_AND_PICTURES: Final = flags_of("img") | (np.arange(BLOCK.size) == TEXT)
_UNSEEN: Final = np.uint8(Hidden.UNSEEN)
_BELONGS: Final = "belongs to what was kept"


@dataclass(frozen=True, slots=True)
class Judgement:
    """Estimates about a page as a whole."""

    page_types: tuple[tuple[str, float], ...]
    """Page types with their probabilities, the most probable first; each is rounded, so their sum
    is only approximately 1."""
    empty_probability: float
    """The probability that the page has no main content."""
    confidence: float
    """Expected word F1 of the selection, from 0 to 1, calibrated on labelled pages."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of one feature on the decision about one block."""

    feature: str
    """Its name in `thresher.features.FEATURES`; `type_` and the name of a page type for the
    probability of that type; `names` for tags, classes and ids together."""
    value: float | None
    """The feature's value; None for names."""
    log_odds: float
    """Log-odds that the block is content with the feature, minus those with its mean value."""


Explain = Callable[[int], tuple[Effect, ...]]
"""Block → the effects of all features on it, the largest first."""
PredictRoles = Callable[[], npt.NDArray[np.int8]]
"""Returns the role code of each block; int8[n_block]."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownRoles:
    """Roles that are already computed."""

    codes: npt.NDArray[np.int8]

    def __call__(self) -> npt.NDArray[np.int8]:
        """Return them."""
        return self.codes


@dataclass(frozen=True, eq=False, repr=False)
class Selection:
    """The leaves of a page that one algorithm keeps; arrays are read-only.

    ``keep`` is bool[n_leaf]. ``score`` is float32[n_block], in the algorithm's own unit, larger for
    content. ``reason_code`` int16[n_block] indexes ``reasons``.
    """

    page: Page
    method: str
    keep: BoolArray
    score: npt.NDArray[np.float32]
    reason_code: npt.NDArray[np.int16]
    reasons: tuple[str, ...]
    judgement: Judgement | None = None
    """A learned method's judgement of the page."""
    explain: Explain | None = None
    """Returns the effects of features on a learned method's decision; computed when called."""
    predict_roles: PredictRoles | None = None
    """Returns the roles of blocks, computed on demand; None for methods that assign none."""

    def __post_init__(self) -> None:
        n_leaf, n_block = self.page.leaves.size, len(self.page.blocks)
        if self.keep.shape != (n_leaf,) or self.keep.dtype != np.bool_:
            raise ValueError(f"keep must be bool[{n_leaf}], one a leaf")
        if self.score.shape != (n_block,) or self.reason_code.shape != (n_block,):
            raise ValueError(f"score and reason_code must be [{n_block}], one entry a block")
        for array in (self.keep, self.score, self.reason_code):
            array.setflags(write=False)

    def __getstate__(self) -> dict[str, Any]:
        # The explain function holds a method's weights, so it is not pickled; roles are, as codes.
        # Views are recomputed after unpickling.
        roles = KnownRoles(self.role_code) if self.role_code is not None else None
        state = {field.name: getattr(self, field.name) for field in fields(self)}
        return state | {"explain": None, "predict_roles": roles}

    def __repr__(self) -> str:
        kept = int(np.count_nonzero(self.keep))
        return f"<Selection {self.method}: {kept} of {self.keep.size} leaves>"

    @classmethod
    def of_rows(
        cls,
        page: Page,
        method: str,
        keep: BoolArray,
        *,
        score: npt.NDArray[np.floating],
        reason_code: npt.NDArray[np.integer],
        reasons: tuple[str, ...],
    ) -> Selection:
        """Lift a decision on rows: every array has one entry per row, read at each leaf.

        A block takes its score and reason from its first kept leaf, or its first leaf if none is
        kept.
        """
        kept = keep[page.leaves]
        row = page.leaves[_find_representatives(page, kept)]
        return cls(
            page,
            method,
            kept,
            score[row].astype(np.float32),
            reason_code[row].astype(np.int16),
            reasons,
        )

    @classmethod
    def of_blocks(
        cls,
        page: Page,
        method: str,
        keep: BoolArray,
        *,
        score: npt.NDArray[np.floating],
        reason_code: npt.NDArray[np.integer],
        reasons: tuple[str, ...],
        judgement: Judgement | None = None,
        explain: Explain | None = None,
        predict_roles: PredictRoles | None = None,
    ) -> Selection:
        """Lift a decision on blocks: every array has one entry per block."""
        return cls(
            page,
            method,
            keep[page.blocks.of_leaf],
            score.astype(np.float32),
            reason_code.astype(np.int16),
            reasons,
            judgement,
            explain,
            predict_roles,
        )

    @classmethod
    def of_nothing(cls, page: Page, method: str, *, reason: str) -> Selection:
        """Keep nothing, for one reason."""
        n_block = len(page.blocks)
        nothing = np.zeros(n_block)
        return cls.of_blocks(
            page,
            method,
            nothing.astype(np.bool_),
            score=nothing,
            reason_code=nothing.astype(np.int16),
            reasons=(reason,),
            predict_roles=KnownRoles(np.full(n_block, NO_ROLE, np.int8)),
        )

    @cached_property
    def block_keep(self) -> BoolArray:
        """Flags blocks with a kept leaf; bool[n_block]."""
        return self.page.blocks.any(self.keep)

    @cached_property
    def words(self) -> int:
        """Number of kept words."""
        return int(self.page.leaf_words[self.keep].sum())

    def reason(self, block: int) -> str:
        """Return why a block was kept or dropped."""
        return self.reasons[int(self.reason_code[block])]

    @cached_property
    def role_code(self) -> npt.NDArray[np.int8] | None:
        """Indices in `thresher.roles.ROLES`, `NO_ROLE` if unknown; int8[n_block], read-only.

        None for methods that assign no roles.
        """
        if self.predict_roles is None:
            return None
        codes = self.predict_roles()
        codes.setflags(write=False)
        return codes

    def role(self, block: int) -> str | None:
        """Return the role of a block, one of `thresher.roles.ROLES`; None if it is unknown."""
        code = NO_ROLE if self.role_code is None else int(self.role_code[block])
        return None if code == NO_ROLE else ROLES[code]

    def with_roles(self, roles: Sequence[str]) -> Selection:
        """Also keep the blocks with some roles; UsageError if the method assigns none."""
        if self.role_code is None:
            raise UsageError(f"the method {self.method} assigns no roles")
        added = np.isin(self.role_code, [ROLES.index(role) for role in roles]) & ~self.block_keep
        if not added.any():
            return self
        selection = replace(self, predict_roles=KnownRoles(self.role_code))
        return selection.with_leaves(added[self.page.blocks.of_leaf], _ASKED_FOR)

    def with_leaves(self, leaves: BoolArray, reason: str = _BELONGS) -> Selection:
        """Also keep some leaves, bool[n_leaf]; blocks of which nothing was kept get the reason."""
        added = self.page.blocks.any(leaves) & ~self.block_keep
        return self.with_reason(reason, added, keep=self.keep | leaves)

    def with_reason(self, reason: str, blocks: BoolArray, *, keep: BoolArray) -> Selection:
        """Keep other leaves, bool[n_leaf], for a reason that some blocks get, bool[n_block]."""
        code = np.where(blocks, len(self.reasons), self.reason_code).astype(np.int16)
        return replace(self, keep=keep, reason_code=code, reasons=(*self.reasons, reason))

    def without_unseen(self) -> Selection:
        """Drop the hidden texts and pictures that nothing shows, unless little else is kept."""
        page = self.page
        unseen = self.keep & ((page.hidden.take(page.leaves) & _UNSEEN) != 0)
        if not unseen.any():
            return self
        # A formula may have no other form.
        unseen &= _TEXTS_AND_PICTURES.take(page.tag.take(page.leaves))
        keep = self.keep & ~unseen
        if 2 * int(page.leaf_words[unseen].sum()) > self.words:
            # Copies for other windows are no loss.
            shown = set(page.leaf_texts(keep.nonzero()[0]))
            rows = unseen.nonzero()[0]
            lost = [text not in shown for text in page.leaf_texts(rows)]
            if 2 * int(page.leaf_words[rows[lost]].sum()) > self.words:
                return self
        dropped = page.blocks.any(unseen) & ~page.blocks.any(keep)
        return self.with_reason(_HIDDEN, dropped, keep=keep)

    @property
    def dropped_by_rule(self) -> BoolArray:
        """Flags the leaves that the user's rules exclude; bool[n_leaf]."""
        codes = [code for code, text in enumerate(self.reasons) if text == DROPPED_BY_RULE]
        if not codes:
            return np.zeros_like(self.keep)
        by_rule = np.isin(self.reason_code, codes)[self.page.blocks.of_leaf]
        dropped: BoolArray = by_rule & ~self.keep
        return dropped

    def effects(self, block: int) -> tuple[Effect, ...]:
        """Return the effects of features on the decision about a block, the largest first.

        Empty for methods that are not learned. The first call costs one run of the method per
        feature.
        """
        return self.explain(block) if self.explain else ()

    def __and__(self, other: Selection) -> Selection:
        """Keep what both keep."""
        return self._combine(other, np.logical_and, "and", np.minimum)

    def __or__(self, other: Selection) -> Selection:
        """Keep what either keeps."""
        return self._combine(other, np.logical_or, "or", np.maximum)

    def __invert__(self) -> Selection:
        """Keep what was dropped; scores are negated."""
        return Selection(
            self.page,
            f"not {_bracketed(self.method)}",
            ~self.keep,
            -self.score,
            self.reason_code,
            tuple(f"not ({reason})" for reason in self.reasons),
            predict_roles=self.predict_roles,
        )

    def _combine(
        self,
        other: Selection,
        keep: Callable[[BoolArray, BoolArray], BoolArray],
        word: str,
        score: Callable[..., npt.NDArray[np.float32]],
    ) -> Selection:
        """Combine two decisions leaf by leaf; reasons are prefixed with their methods."""
        if other.page is not self.page:
            raise ValueError("only selections of the same page can be combined")
        pairs, code = np.unique(
            np.stack((self.reason_code, other.reason_code)), axis=1, return_inverse=True
        )
        reasons = tuple(
            f"{self.method}: {self.reasons[mine]}; {other.method}: {other.reasons[theirs]}"
            for mine, theirs in pairs.T.tolist()
        )
        return Selection(
            self.page,
            f"{_bracketed(self.method)} {word} {_bracketed(other.method)}",
            keep(self.keep, other.keep),
            score(self.score, other.score),
            code.reshape(-1).astype(np.int16),
            reasons,
            predict_roles=self.predict_roles or other.predict_roles,
        )


def _bracketed(method: str) -> str:
    return f"({method})" if " " in method else method


def _find_representatives(page: Page, kept: BoolArray) -> npt.NDArray[np.intp]:
    """Return the first kept leaf of each block, or its first leaf if none is kept."""
    n_leaf = kept.size
    place = np.where(kept, np.arange(n_leaf), n_leaf)
    first = page.blocks.start[:-1]
    if not n_leaf:
        return first.astype(np.intp)
    first_kept = np.minimum.reduceat(place, first)
    return np.where(first_kept < n_leaf, first_kept, first).astype(np.intp)
