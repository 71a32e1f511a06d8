"""Decision on a field: the first usable claim in the order of its rule, and its confidence.

The order is fixed, so results are deterministic and can be checked by hand. Only the confidence
depends on the other sources.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from thresher.analysis.metadata.evidence import PageEvidence
from thresher.analysis.metadata.model import Field
from thresher.analysis.metadata.sources import Claim, Family, FieldSource
from thresher.deadline import check_deadline

__all__ = ["BuiltValue", "FieldRule", "RefinedValue", "decide_field", "decide_value"]

T = TypeVar("T")

AGREEMENT_GAIN: Final = 0.5
"""Share of the remaining doubt removed by the agreement of a fully trusted second family."""
CONFLICT_LOSS: Final = 0.3
"""Share of the confidence removed by the disagreement of a fully trusted second family."""
WEAK_FACTOR: Final = 0.5
"""Factor on the trust in a weak value."""
_DECIMALS: Final = 2


class BuiltValue(NamedTuple, Generic[T]):
    """The value built from a claim; a weak value is used only if there is no better one."""

    value: T
    is_weak: bool = False


_Candidate: TypeAlias = tuple[BuiltValue[T], str, FieldSource]
"""The value built from a claim, the claim's label, and its source."""


class RefinedValue(NamedTuple, Generic[T]):
    """A value made more precise, and the label of the evidence for it."""

    value: T
    label: str


@dataclass(frozen=True, slots=True)
class FieldRule(Generic[T]):
    """The rule that decides one field."""

    sources: tuple[FieldSource, ...]
    """In order of precedence."""
    build: Callable[[Claim, PageEvidence], BuiltValue[T] | None]
    """Build the field's value from a claim; None if it is unusable."""
    key: Callable[[T], Hashable]
    """Return equal keys for values that mean the same."""
    agree: Callable[[T, T], bool] | None = None
    """Return whether two values agree, if equal keys are not required."""
    refine: Callable[[T, PageEvidence], RefinedValue[T] | None] | None = None
    """Make a value more precise with other evidence of the page; None if that is not possible."""


def decide_field(rule: FieldRule[T], evidence: PageEvidence) -> Field[T] | None:
    """Decide one field; None if no source has a usable value."""
    check_deadline()
    candidates = [*_candidates(rule, evidence)]
    if not candidates:
        return None
    best = candidates[0]
    if best[0].is_weak:
        best = next((each for each in candidates if not each[0].is_weak), best)
    confidence = round(_confidence(best, candidates, rule), _DECIMALS)
    (value, _), label, _ = best
    if refined := rule.refine(value, evidence) if rule.refine else None:
        value, label = refined
    return Field(value, label, confidence)


def decide_value(rule: FieldRule[T], evidence: PageEvidence) -> T | None:
    """Decide the value of a field alone; what only its confidence depends on is not read."""
    check_deadline()
    best: BuiltValue[T] | None = None
    for built, _, _ in _candidates(rule, evidence):
        if not built.is_weak:
            best = built
            break
        best = best or built
    if best is None:
        return None
    refined = rule.refine(best.value, evidence) if rule.refine else None
    return refined.value if refined else best.value


def _candidates(rule: FieldRule[T], evidence: PageEvidence) -> Iterator[_Candidate[T]]:
    """Yield the usable claims; a family is skipped after its first value that is not weak."""
    heard: set[Family] = set()
    build = rule.build
    for source in rule.sources:
        if source.family in heard or (source.is_last_resort and heard):
            continue
        for claim in source.read(evidence):
            built = build(claim, evidence)
            if built is not None:
                if not built.is_weak:
                    heard.add(source.family)
                yield built, claim.label, source


def _confidence(best: _Candidate[T], others: list[_Candidate[T]], rule: FieldRule[T]) -> float:
    """Return the confidence in the best claim, given the first of every other family."""
    (value, is_weak), _, source = best
    confidence = source.trust * (WEAK_FACTOR if is_weak else 1)
    heard = {source.family}
    wanted: Hashable = None
    for (other, is_weak), _, source in others:
        if is_weak or source.family in heard:
            continue
        heard.add(source.family)
        same = other == value
        if not same:
            wanted = rule.key(value) if wanted is None else wanted
            same = rule.key(other) == wanted
        if same or (rule.agree and rule.agree(value, other)):
            confidence += (1 - confidence) * source.trust * AGREEMENT_GAIN
        else:
            confidence -= confidence * source.trust * CONFLICT_LOSS
    return confidence
