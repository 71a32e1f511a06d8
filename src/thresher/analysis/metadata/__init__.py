"""Metadata of a page: title, authors, dates and more, each with its source and confidence.

`thresher.analysis.structured` reads the structured data; this package weighs it.

    rules      the order of sources for every field, literal tables with reasons: start here
    sources    readers that the tables are made of
    evidence   all evidence of a page; the object, of several, that the page is about
    visible    evidence shown on the page: headline, marked elements; with bylines and datelines
    name_marks words in classes and ids that mark elements
    build      raw claims → a field's value
    decide     the first usable claim, and its confidence
    model      Metadata and Field
"""

from __future__ import annotations

from typing import NamedTuple

from thresher.analysis.metadata.model import Field, Metadata
from thresher.page import Page

__all__ = ["Field", "Metadata", "PageTitle", "read_metadata", "read_title", "read_values"]


class PageTitle(NamedTuple):
    """The title of a page, and the heading that shows it."""

    text: str | None
    row: int
    """The heading that the title contains, else the first h1; 0 for none."""


def read_title(page: Page) -> PageTitle:
    """Read the title alone, at a fraction of the cost of `read_metadata`. Never raises."""
    from thresher.analysis.metadata import rules  # noqa: PLC0415 - as below
    from thresher.analysis.metadata.decide import decide_value  # noqa: PLC0415
    from thresher.analysis.metadata.evidence import PageEvidence  # noqa: PLC0415

    evidence = PageEvidence(page)
    headline = evidence.visible.headline
    return PageTitle(headline.confirmed or decide_value(rules.TITLE, evidence), headline.row)


def read_metadata(page: Page) -> Metadata:
    """Read the metadata of a page; a field without any source is None. Never raises.

    Cost: about that of selecting; every source of every field is read, for the confidence.
    """
    # Imported late: rules are half of the import time, and most callers need only text.
    from thresher.analysis.metadata import rules  # noqa: PLC0415
    from thresher.analysis.metadata.dates import day_of  # noqa: PLC0415
    from thresher.analysis.metadata.decide import decide_field  # noqa: PLC0415
    from thresher.analysis.metadata.evidence import PageEvidence  # noqa: PLC0415

    evidence = PageEvidence(page)
    published = decide_field(rules.PUBLISHED, evidence)
    modified = decide_field(rules.MODIFIED, evidence)
    if published and modified and day_of(modified.value) < day_of(published.value):
        modified = None
    return Metadata(
        title=decide_field(rules.TITLE, evidence),
        authors=decide_field(rules.AUTHORS, evidence),
        published=published,
        modified=modified,
        site_name=decide_field(rules.SITE_NAME, evidence),
        description=decide_field(rules.DESCRIPTION, evidence),
        language=decide_field(rules.LANGUAGE, evidence),
        canonical_url=decide_field(rules.CANONICAL_URL, evidence),
        image=decide_field(rules.IMAGE, evidence),
        tags=decide_field(rules.TAGS, evidence),
        licence=decide_field(rules.LICENCE, evidence),
    )


def read_values(page: Page) -> dict[str, str | list[str]]:
    """Return `Metadata.as_dict` of `read_metadata`, at less cost. Never raises.

    Sources on which only the confidence in a value depends are not read.
    """
    from thresher.analysis.metadata.dates import day_of  # noqa: PLC0415 - as above
    from thresher.analysis.metadata.decide import decide_value  # noqa: PLC0415
    from thresher.analysis.metadata.evidence import PageEvidence  # noqa: PLC0415
    from thresher.analysis.metadata.rules import by_name  # noqa: PLC0415

    evidence = PageEvidence(page)
    texts = {name: decide_value(rule, evidence) for name, rule in by_name.TEXT_FIELDS.items()}
    lists = {name: decide_value(rule, evidence) for name, rule in by_name.LIST_FIELDS.items()}
    published, modified = texts["published"], texts["modified"]
    if published and modified and day_of(modified) < day_of(published):
        texts["modified"] = None
    known = {name: list(found) for name, found in lists.items() if found is not None}
    values = known | {name: text for name, text in texts.items() if text is not None}
    return {name: values[name] for name in by_name.ORDER if name in values}
