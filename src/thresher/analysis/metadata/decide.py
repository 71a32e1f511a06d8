"""The judgement: of all that sources claim for a field, the first usable one, and how sure it is.

The order is the rule's, so the same page always gives the same answer, and a reader can check it.
Only the confidence looks at the other sources.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, TypeVar

from thresher.analysis.metadata.evidence import PageEvidence
from thresher.analysis.metadata.model import Field
from thresher.analysis.metadata.sources import Claim, Family, Source
from thresher.deadline import check_deadline

__all__ = ["BuiltValue", "FieldRule", "RefinedValue", "UsableClaim", "decide_field"]

T = TypeVar("T")

AGREEMENT_GAIN: Final = 0.5
"""Share of the remaining doubt that a fully trusted second family takes away by agreeing."""
CONFLICT_LOSS: Final = 0.3
"""Share of the confidence that a fully trusted second family takes away by saying otherwise."""
WEAK_FACTOR: Final = 0.5
"""What is left of the trust in a value that only stands because nothing better does."""
_DECIMALS: Final = 2


@dataclass(frozen=True, slots=True)
class UsableClaim(Generic[T]):
    """A usable value: what a claim comes to once it is cleaned."""

    value: T
    label: str
    family: Family
    trust: float
    is_weak: bool


class BuiltValue(NamedTuple, Generic[T]):
    """What a rule makes of a claim; a weak value stands only where nothing better does."""

    value: T
    is_weak: bool = False


class RefinedValue(NamedTuple, Generic[T]):
    """A value made more exact, and what told so."""

    value: T
    label: str


@dataclass(frozen=True, slots=True)
class FieldRule(Generic[T]):
    """How one field is decided."""

    sources: tuple[Source, ...]
    """In the order in which they are believed."""
    build: Callable[[Claim, PageEvidence], BuiltValue[T] | None]
    """Makes the field's value of a claim's raw ones; None where it is not usable."""
    key: Callable[[T], Hashable]
    """Equal for values that mean the same."""
    agree: Callable[[T, T], bool] | None = None
    """Says whether two values bear each other out, where that takes less than equal keys."""
    refine: Callable[[T, PageEvidence], RefinedValue[T] | None] | None = None
    """Makes a value more exact by what else the page says; None where it is as good as it gets."""


def decide_field(rule: FieldRule[T], evidence: PageEvidence) -> Field[T] | None:
    """Decide one field; None where no source has a usable value."""
    check_deadline()
    candidates = sorted(_candidates(rule, evidence), key=lambda candidate: candidate.is_weak)
    if not candidates:
        return None
    best = candidates[0]
    confidence = round(_confidence(best, candidates[1:], rule), _DECIMALS)
    refined = rule.refine(best.value, evidence) if rule.refine else None
    value, label = refined or (best.value, best.label)
    return Field(value, label, confidence)


def _candidates(rule: FieldRule[T], evidence: PageEvidence) -> Iterator[UsableClaim[T]]:
    """Yield what each family says first; what it says after a good value would not be heard."""
    heard: set[Family] = set()
    for source in rule.sources:
        if source.family in heard or (source.is_last_resort and heard):
            continue
        for claim in source.read(evidence):
            built = rule.build(claim, evidence)
            if built is not None:
                if not built.is_weak:
                    heard.add(source.family)
                trust = source.trust * (WEAK_FACTOR if built.is_weak else 1)
                yield UsableClaim(built.value, claim.label, source.family, trust, built.is_weak)


def _confidence(best: UsableClaim[T], others: list[UsableClaim[T]], rule: FieldRule[T]) -> float:
    """Weigh the best candidate against the first of every other family."""
    confidence = best.trust
    heard = {best.family}
    wanted = rule.key(best.value)
    for other in others:
        if other.family in heard or other.is_weak:
            continue
        heard.add(other.family)
        same = rule.key(other.value) == wanted
        if same or (rule.agree and rule.agree(best.value, other.value)):
            confidence += (1 - confidence) * other.trust * AGREEMENT_GAIN
        else:
            confidence -= confidence * other.trust * CONFLICT_LOSS
    return confidence
