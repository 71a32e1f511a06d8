"""Sources of fields, and the decision on a field: the first usable claim in the order of its rule.

The order is fixed, so results are deterministic and can be checked by hand. Only the confidence
depends on the other sources.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from thresher.analysis.metadata import Field
from thresher.analysis.metadata.evidence import PageEvidence, type_of, values_of
from thresher.analysis.structured import Entity, JsonValue
from thresher.deadline import check_deadline

__all__ = [
    "BuiltValue",
    "Claim",
    "Family",
    "FieldRule",
    "FieldSource",
    "Reader",
    "RefinedValue",
    "about_article",
    "about_item",
    "about_page",
    "decide_field",
    "decide_value",
    "in_link",
    "in_meta",
    "in_meta_like",
    "on_page",
]


class Family(Enum):
    """The family of a source: only sources of different families can confirm each other."""

    JSON_LD = "json-ld"
    MICRODATA = "microdata"
    OPENGRAPH = "opengraph"
    DUBLIN_CORE = "dublin-core"
    META = "meta"
    LINK = "link"
    PAGE = "page"
    URL = "url"
    SCRIPT = "script"
    TEXT = "text"

    # That of names, which is Enum's, is computed in Python.
    __hash__ = object.__hash__


class Claim(NamedTuple):
    """The claim of one source: a human-readable label, and the raw values in order."""

    label: str
    values: list[JsonValue]


Reader: TypeAlias = Callable[[PageEvidence], Sequence[Claim]]


@dataclass(frozen=True, slots=True)
class FieldSource:
    """One row of a field's order: a source, its trust, and the reason for its position."""

    family: Family
    trust: float
    """0 to 1, one of the levels of `thresher.analysis.metadata.rules`."""
    reason: str
    read: Reader
    is_last_resort: bool = False
    """Whether it is read only if no previous source has a value that is not weak."""


_JSON_LD, _MICRODATA = Family.JSON_LD.value, Family.MICRODATA.value
MAX_VALUES: Final = 200
"""Values read of one source: the authors of a large paper fit."""
_PREFIXES: Final = (
    ("dc.", Family.DUBLIN_CORE),
    ("dcterms.", Family.DUBLIN_CORE),
    ("og:", Family.OPENGRAPH),
    ("article:", Family.OPENGRAPH),
)
"""Namespaces of `<meta>` names; article: is Open Graph's own for articles (ogp.me)."""


def about_article(*names: str) -> Reader:
    """Read properties of the JSON-LD object that the page is about."""

    def read(evidence: PageEvidence) -> Sequence[Claim]:
        entity = evidence.article
        return _claims(_JSON_LD, evidence, entity, names) if entity else ()

    return read


def about_page(*names: str) -> Reader:
    """Read properties of the JSON-LD object of the page itself."""

    def read(evidence: PageEvidence) -> Sequence[Claim]:
        entity = evidence.web_page
        return _claims(_JSON_LD, evidence, entity, names) if entity else ()

    return read


def about_item(*names: str) -> Reader:
    """Read properties of the microdata item that the page is about."""

    def read(evidence: PageEvidence) -> Sequence[Claim]:
        entity = evidence.item
        return _claims(_MICRODATA, evidence, entity, names) if entity else ()

    return read


def _claims(
    family: str, evidence: PageEvidence, entity: Entity, names: tuple[str, ...]
) -> list[Claim]:
    found = []
    for name in names:
        if name in entity and (values := values_of(entity, name)):
            resolved = [evidence.resolve(value) for value in values[:MAX_VALUES]]
            found.append(Claim(f"{family}:{type_of(entity)}.{name}", resolved))
    return found


def in_meta(*names: str) -> Reader:
    """Read `<meta>` elements by name, property or http-equiv."""
    labels = {name: f"{family_of(name).value}:{name}" for name in names}
    if len(names) == 1:
        return _in_one_meta(names[0], labels[names[0]])

    def read(evidence: PageEvidence) -> Sequence[Claim]:
        meta = evidence.meta
        if meta.keys().isdisjoint(labels):
            return ()
        return [
            Claim(label, [*values[:MAX_VALUES]])
            for name, label in labels.items()
            if (values := meta.get(name))
        ]

    return read


def _in_one_meta(name: str, label: str) -> Reader:
    def read(evidence: PageEvidence) -> Sequence[Claim]:
        values = evidence.meta.get(name)
        return [Claim(label, [*values[:MAX_VALUES]])] if values else ()

    return read


def in_meta_like(pattern: re.Pattern[str], *ends: str) -> Reader:
    """Read `<meta>` elements whose name matches, for names that are not listed.

    Every such name has one of some ends; most names have none.
    """

    def read(evidence: PageEvidence) -> Sequence[Claim]:
        return [
            Claim(f"{family_of(name).value}:{name}", [*values[:MAX_VALUES]])
            for name, values in evidence.meta.items()
            if name.endswith(ends) and pattern.search(name)
        ]

    return read


def in_link(rel: str) -> Reader:
    """Read the addresses of links with this rel."""
    label = f"{Family.LINK.value}:{rel}"

    def read(evidence: PageEvidence) -> Sequence[Claim]:
        values = evidence.structured.linked(rel)
        return [Claim(label, [*values[:MAX_VALUES]])] if values else ()

    return read


def on_page(label: str, find: Callable[[PageEvidence], Iterable[str | None]]) -> Reader:
    """Read what a function finds on the page; ``label`` is its label, such as `page:h1`."""

    def read(evidence: PageEvidence) -> Sequence[Claim]:
        values: list[JsonValue] = [value for value in find(evidence) if value]
        return [Claim(label, values)] if values else ()

    return read


def family_of(name: str) -> Family:
    """Return the family that a `<meta>` name belongs to."""
    return next((family for start, family in _PREFIXES if name.startswith(start)), Family.META)


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
