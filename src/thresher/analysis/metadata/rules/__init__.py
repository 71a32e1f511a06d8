"""Order of precedence of the sources for every field, with reasons.

Read a table from the top: the first source with a usable value decides the field.
"""

from __future__ import annotations

from thresher.analysis.metadata.rules.authors import AUTHORS
from thresher.analysis.metadata.rules.dates import MODIFIED, PUBLISHED
from thresher.analysis.metadata.rules.naming import DESCRIPTION, SITE_NAME, TAGS, TITLE
from thresher.analysis.metadata.rules.page import CANONICAL_URL, IMAGE, LANGUAGE, LICENCE

__all__ = [
    "AUTHORS",
    "CANONICAL_URL",
    "DESCRIPTION",
    "IMAGE",
    "LANGUAGE",
    "LICENCE",
    "MODIFIED",
    "PUBLISHED",
    "SITE_NAME",
    "TAGS",
    "TITLE",
]
