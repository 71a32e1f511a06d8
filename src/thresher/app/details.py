"""Details of one block: the decision and its reasons, the position, and selectors for rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from thresher.app.document_cache import DocumentKey, open_document
from thresher.document import Document
from thresher.explain.explanation import MAX_EFFECT_BLOCKS
from thresher.explain.page import format_score
from thresher.features import FEATURES
from thresher.sites.propose import Proposal, propose_selectors

__all__ = ["Detail", "ShownEffect", "describe_block", "open_detail"]

_SOURCE_CHARS: Final = 1_200
"""Maximum of characters shown of a block's source."""
_CONTEXT_CHARS: Final = 80
"""Characters of source shown before and after it."""
_MAX_TEXT_CHARS: Final = 2_000
_N_EFFECT: Final = 6
"""Maximum of effects shown, the largest first."""
_MEANINGS: Final = {
    **{feature.name: feature.summary for feature in FEATURES},
    "names": "tags, classes and ids of the block and its ancestors",
}
"""Feature → description."""


@dataclass(frozen=True, slots=True)
class ShownEffect:
    """Effect of one feature on the decision on a block."""

    name: str
    meaning: str
    value: str | None
    log_odds: float
    size: int
    """Size relative to the largest effect, 1 to 10."""


@dataclass(frozen=True, slots=True)
class Detail:
    """Details of one block."""

    index: int
    n_block: int
    text: str
    tag: str
    kept: bool
    score: str
    is_probability: bool
    reason: str
    role: str | None
    n_word: int
    n_char: int
    hidden: str
    origin: str
    css: str | None
    xpath: str | None
    before: str
    source: str
    after: str
    line: int | None
    """Line of the source in which the block begins, from 1."""
    is_cut: bool
    effects: tuple[ShownEffect, ...]
    has_too_many: bool
    """Whether the page has too many blocks to compute effects."""
    proposals: tuple[Proposal, ...]
    previous: int | None
    following: int | None


def open_detail(key: DocumentKey, index: int) -> Detail | None:
    """Return the details of a block; None if the page has no such block."""
    return describe_block(open_document(key), index)


def describe_block(document: Document, index: int) -> Detail | None:
    """Return the details of a block of a document; None if there is no such block."""
    page = document.page
    n_block = len(page.blocks)
    if not 0 <= index < n_block:
        return None
    block = document.blocks[index]
    has_effects = document.selection.explain is not None
    too_many = has_effects and n_block > MAX_EFFECT_BLOCKS
    source = page.source
    at = block.source
    stop = min(at.stop, at.start + _SOURCE_CHARS) if at else 0
    return Detail(
        index=index,
        n_block=n_block,
        text=block.text[:_MAX_TEXT_CHARS],
        tag=block.tag,
        kept=block.kept,
        score=format_score(block.score, 4),
        is_probability=document.selection.method == "learned",
        reason=block.reason,
        role=block.role,
        n_word=int(page.blocks.sums(page.leaf_words)[index]),
        n_char=len(block.text),
        hidden=(block.hidden.name or "").lower().replace("|", ", "),
        origin=block.origin.value,
        css=block.path.css if block.path else None,
        xpath=block.path.xpath if block.path else None,
        before=source[max(0, at.start - _CONTEXT_CHARS) : at.start] if at else "",
        source=source[at.start : stop] if at else "",
        after=source[stop : stop + _CONTEXT_CHARS] if at else "",
        line=source.count("\n", 0, at.start) + 1 if at else None,
        is_cut=bool(at and stop < at.stop),
        effects=() if too_many or not has_effects else _effects_of(document, index),
        has_too_many=too_many,
        proposals=propose_selectors(page, index),
        previous=index - 1 if index else None,
        following=index + 1 if index + 1 < n_block else None,
    )


def _effects_of(document: Document, index: int) -> tuple[ShownEffect, ...]:
    effects = [each for each in document.selection.effects(index) if each.log_odds][:_N_EFFECT]
    largest = max((abs(each.log_odds) for each in effects), default=1.0)
    return tuple(
        ShownEffect(
            each.feature,
            _meaning_of(each.feature),
            None if each.value is None else format_score(each.value),
            each.log_odds,
            max(1, round(10 * abs(each.log_odds) / largest)),
        )
        for each in effects
    )


def _meaning_of(feature: str) -> str:
    if feature.startswith("type_") and feature not in _MEANINGS:
        return "probability that the page is of this type"
    return _MEANINGS.get(feature, "")
