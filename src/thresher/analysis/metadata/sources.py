"""Sources of fields: readers from evidence to claims, listed in `rules`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from thresher.analysis.json_ld import Entity, JsonValue
from thresher.analysis.metadata.evidence import PageEvidence, type_of, values_of

__all__ = [
    "Claim",
    "Family",
    "FieldSource",
    "Reader",
    "about_article",
    "about_item",
    "about_page",
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
