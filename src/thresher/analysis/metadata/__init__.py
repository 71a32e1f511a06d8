"""Metadata of a page: title, authors, dates and more, each with its source and confidence.

`thresher.analysis.structured` reads the structured data; this package weighs it.

    rules        the order of sources for every field, literal tables with reasons: start here
    decide       sources; the first usable claim, and its confidence
    build        raw claims → a field's value
    evidence     all evidence of a page; the object, of several, that the page is about
    visible      elements shown on the page, by their marks and distance from the headline
    shown_facts  bylines and dates among them
    headline     the heading that the title of the page names
    titles       titles freed of the site's name
    people, dates, languages, normalise: reading of the values
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from thresher.page import Page

__all__ = ["Field", "Metadata", "PageTitle", "read_metadata", "read_title", "read_values"]

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
            name: dataclasses.asdict(field) | {"value": _plain(field.value)}
            for name, field in self._known()
        }

    def _known(self) -> list[tuple[str, Field[Any]]]:
        named = ((field.name, getattr(self, field.name)) for field in dataclasses.fields(self))
        return [(name, field) for name, field in named if field is not None]


def _plain(value: str | tuple[str, ...]) -> str | list[str]:
    return list(value) if isinstance(value, tuple) else value


class PageTitle(NamedTuple):
    """The title of a page, and the heading that shows it."""

    text: str | None
    row: int
    """The heading that the title contains, else the first h1; 0 for none."""


def read_title(page: Page) -> PageTitle:
    """Read the title alone, at a fraction of the cost of `read_metadata`. Never raises."""
    from thresher.analysis.metadata.headline import headline_of

    headline = headline_of(page)
    if title := headline.confirmed:
        return PageTitle(title, headline.row)
    from thresher.analysis.metadata import rules  # most pages need none of them
    from thresher.analysis.metadata.decide import decide_field
    from thresher.analysis.metadata.evidence import PageEvidence

    field = decide_field(rules.TITLE, PageEvidence(page), is_weighed=False)
    return PageTitle(field.value if field else None, headline.row)


def read_metadata(page: Page, *, is_listing: bool = False) -> Metadata:
    """Read the metadata of a page; a field without any source is None. Never raises.

    Dates shown on a listing are taken for those of its entries, unless they are marked as its own.

    Cost: about that of selecting; every source of every field is read, for the confidence.
    """
    return _read_fields(page, is_listing=is_listing, is_weighed=True)


def read_values(page: Page, *, is_listing: bool = False) -> dict[str, str | list[str]]:
    """Return `Metadata.as_dict` of `read_metadata`, at less cost. Never raises.

    Sources on which only the confidence in a value depends are not read.
    """
    return _read_fields(page, is_listing=is_listing, is_weighed=False).as_dict()


def _read_fields(page: Page, *, is_listing: bool, is_weighed: bool) -> Metadata:
    # Imported late: rules are half of the import time, and most callers need only text.
    from thresher.analysis.metadata.dates import day_of
    from thresher.analysis.metadata.decide import decide_field
    from thresher.analysis.metadata.evidence import PageEvidence
    from thresher.analysis.metadata.rules import FIELDS, FIELDS_OF_LISTING

    evidence = PageEvidence(page)
    rules = FIELDS_OF_LISTING if is_listing else FIELDS
    fields = {
        name: decide_field(rule, evidence, is_weighed=is_weighed) for name, rule in rules.items()
    }
    published, modified = fields["published"], fields["modified"]
    if published and modified and day_of(modified.value) < day_of(published.value):
        fields["modified"] = None
    return Metadata(**fields)
