"""Sources of fields, and the decision on a field: the first usable claim in the order of its rule.

The order is fixed, so results are deterministic and can be checked by hand. Only the confidence
depends on the other sources.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from thresher.analysis.metadata import Field
from thresher.analysis.metadata.evidence import PageEvidence, type_of, values_of
from thresher.analysis.structured import Entity, JsonValue, read_linked
from thresher.deadline import check_deadline


class Claim(NamedTuple):
    """The claim of one source: a human-readable label, and the raw values in order."""

    label: str
    values: list[JsonValue]


Reader: TypeAlias = Callable[[PageEvidence], Sequence[Claim]]


@dataclass(frozen=True, slots=True)
class FieldSource:
    """One row of a field's order: a source and the trust in it."""

    family: str
    """The kind of source, the first part of labels: only those of different kinds can confirm each
    other."""
    trust: float
    """0 to 1, one of the levels of `thresher.analysis.metadata.rules`."""
    read: Reader
    is_last_resort: bool = False
    """Whether it is read only if no previous source has a value that is not weak."""


MAX_VALUES: Final = 200
"""Values read of one source: the authors of a large paper fit."""
_FAMILIES: Final = {
    **dict.fromkeys(("dc.", "dcterms."), "dublin-core"),
    **dict.fromkeys(("og:", "article:"), "opengraph"),
}
"""Namespaces of `<meta>` names; article: is Open Graph's own for articles (ogp.me)."""


def _about(
    family: str, choose: Callable[[PageEvidence], Entity | None], trust: float, names: str
) -> FieldSource:
    """Read properties, separated by spaces, of one of the page's objects."""
    wanted = names.split()

    def read(evidence: PageEvidence) -> Sequence[Claim]:
        entity = choose(evidence)
        if not entity:
            return ()
        start = f"{family}:{type_of(entity)}"
        return [
            Claim(f"{start}.{name}", [*map(evidence.resolve, values[:MAX_VALUES])])
            for name in wanted
            if name in entity and (values := values_of(entity, name))
        ]

    return FieldSource(family, trust, read)


about_article: Final = partial(_about, "json-ld", lambda evidence: evidence.article)
"""Read properties of the JSON-LD object that the page is about."""
about_page: Final = partial(_about, "json-ld", lambda evidence: evidence.web_page)
"""Read those of the JSON-LD object of the page itself."""
about_item: Final = partial(_about, "microdata", lambda evidence: evidence.item)
"""Read those of the microdata item that the page is about."""


def in_meta(trust: float, names: str, family: str | None = None) -> FieldSource:
    """Read `<meta>` elements by names, properties or http-equivs, separated by spaces.

    The family is that of the first name, if not given.
    """
    labels = {name: f"{family_of(name)}:{name}" for name in names.split()}

    def read(evidence: PageEvidence) -> Sequence[Claim]:
        meta = evidence.meta
        if meta.keys().isdisjoint(labels):
            return ()
        return [
            Claim(label, [*values[:MAX_VALUES]])
            for name, label in labels.items()
            if (values := meta.get(name))
        ]

    return FieldSource(family or family_of(names), trust, read)


def in_meta_like(trust: float, pattern: re.Pattern[str], *ends: str) -> FieldSource:
    """Read `<meta>` elements whose name matches, for names that are not listed.

    Every such name has one of some ends; most names have none.
    """

    def read(evidence: PageEvidence) -> Sequence[Claim]:
        return [
            Claim(f"{family_of(name)}:{name}", [*values[:MAX_VALUES]])
            for name, values in evidence.meta.items()
            if name.endswith(ends) and pattern.search(name)
        ]

    return FieldSource("meta", trust, read)


def in_link(trust: float, rel: str) -> FieldSource:
    """Read the addresses of links with this rel."""
    return on_page(trust, f"link:{rel}", lambda e: read_linked(e.page, rel)[:MAX_VALUES])


def on_page(
    trust: float,
    label: str,
    find: Callable[[PageEvidence], Iterable[str | None]],
    *,
    is_last_resort: bool = False,
) -> FieldSource:
    """Read what a function finds on the page; ``label`` is its label, such as `page:h1`."""

    def read(evidence: PageEvidence) -> Sequence[Claim]:
        values: list[JsonValue] = [value for value in find(evidence) if value]
        return [Claim(label, values)] if values else ()

    return FieldSource(label.partition(":")[0], trust, read, is_last_resort)


def family_of(name: str) -> str:
    """Return the family that a `<meta>` name belongs to."""
    return next((family for start, family in _FAMILIES.items() if name.startswith(start)), "meta")


# -- decision --------------------------------------------------------------------------------------

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


def decide_field(
    rule: FieldRule[T], evidence: PageEvidence, *, is_weighed: bool = True
) -> Field[T] | None:
    """Decide one field; None if no source has a usable value.

    If it is not weighed, the confidence is that in its source alone, and no other is read for it.
    """
    check_deadline()
    candidates: Iterable[_Candidate[T]] = _candidates(rule, evidence)
    if is_weighed:
        candidates = [*candidates]
    best = _choose(candidates)
    if best is None:
        return None
    confidence = round(_confidence(best, candidates if is_weighed else (), rule), _DECIMALS)
    (value, _), label, _ = best
    if refined := rule.refine(value, evidence) if rule.refine else None:
        value, label = refined
    return Field(value, label, confidence)


def _choose(candidates: Iterable[_Candidate[T]]) -> _Candidate[T] | None:
    """Return the first candidate that is not weak, else the first; none behind it is read."""
    first: _Candidate[T] | None = None
    for candidate in candidates:
        if not candidate[0].is_weak:
            return candidate
        first = first or candidate
    return first


def _candidates(rule: FieldRule[T], evidence: PageEvidence) -> Iterator[_Candidate[T]]:
    """Yield the usable claims; a family is skipped after its first value that is not weak."""
    heard: set[str] = set()
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


def _confidence(best: _Candidate[T], others: Iterable[_Candidate[T]], rule: FieldRule[T]) -> float:
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
