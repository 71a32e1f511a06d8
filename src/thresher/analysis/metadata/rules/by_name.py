"""The rules of all fields by name, in two tables: one value, or several."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from thresher.analysis.metadata import Metadata
from thresher.analysis.metadata.decide import FieldRule
from thresher.analysis.metadata.rules.authors import AUTHORS
from thresher.analysis.metadata.rules.dates import MODIFIED, PUBLISHED
from thresher.analysis.metadata.rules.naming import DESCRIPTION, SITE_NAME, TAGS, TITLE
from thresher.analysis.metadata.rules.page import CANONICAL_URL, IMAGE, LANGUAGE, LICENCE

__all__ = ["LIST_FIELDS", "ORDER", "TEXT_FIELDS"]

TEXT_FIELDS: Final[dict[str, FieldRule[str]]] = {
    "title": TITLE,
    "published": PUBLISHED,
    "modified": MODIFIED,
    "site_name": SITE_NAME,
    "description": DESCRIPTION,
    "language": LANGUAGE,
    "canonical_url": CANONICAL_URL,
    "image": IMAGE,
    "licence": LICENCE,
}
"""The rules of the fields with one value, by name."""
LIST_FIELDS: Final[dict[str, FieldRule[tuple[str, ...]]]] = {"authors": AUTHORS, "tags": TAGS}
"""The rules of those with several."""
ORDER: Final = tuple(field.name for field in fields(Metadata))
"""The names of all fields, in order."""
