"""Model of a page's metadata, each field with its source and confidence."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

__all__ = ["Field", "Metadata"]

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class Field(Generic[T_co]):
    """One value with its source and confidence."""

    value: T_co
    source: str
    """Where it was found, such as `json-ld:NewsArticle.headline`, `meta:author` or `page:h1`."""
    confidence: float
    """0 to 1: the trust in the source, raised by independent sources that agree and lowered by
    those that disagree."""


@dataclass(frozen=True)
class Metadata:
    """The metadata of a page; a field is None if unknown."""

    title: Field[str] | None = None
    """The headline, without the name of the site."""
    authors: Field[tuple[str, ...]] | None = None
    """Names of persons, else of the organisation that is stated as the author."""
    published: Field[str] | None = None
    """ISO 8601: `2024-05-03`, or with time and zone, as precise as the page states it."""
    modified: Field[str] | None = None
    """ISO 8601, as `published`."""
    site_name: Field[str] | None = None
    description: Field[str] | None = None
    language: Field[str] | None = None
    """BCP 47 tag: `en`, `pt-BR`, `zh-Hant`."""
    canonical_url: Field[str] | None = None
    """The preferred address of the page."""
    image: Field[str] | None = None
    """Address of the lead image."""
    tags: Field[tuple[str, ...]] | None = None
    """Keywords, in the page's order and spelling."""
    licence: Field[str] | None = None
    """Address of the licence the page's content is under."""

    def as_dict(self) -> dict[str, str | list[str]]:
        """Return the known values by field name, ready for JSON or YAML."""
        return {name: _plain(field.value) for name, field in self._known()}

    def as_evidence(self) -> dict[str, dict[str, Any]]:
        """Return value, source and confidence of the known fields by name, ready for JSON."""
        return {
            name: {
                "value": _plain(field.value),
                "source": field.source,
                "confidence": field.confidence,
            }
            for name, field in self._known()
        }

    def _known(self) -> list[tuple[str, Field[Any]]]:
        named = ((field.name, getattr(self, field.name)) for field in dataclasses.fields(self))
        return [(name, field) for name, field in named if field is not None]


def _plain(value: str | tuple[str, ...]) -> str | list[str]:
    return list(value) if isinstance(value, tuple) else value
