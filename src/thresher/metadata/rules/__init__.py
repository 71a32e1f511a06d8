"""The order of sources for every field: who is believed before whom, and why.

Read a table from the top: the first source with a usable value gives the field.
"""

from __future__ import annotations

from thresher.metadata.rules.authors import AUTHORS
from thresher.metadata.rules.dates import MODIFIED, PUBLISHED
from thresher.metadata.rules.naming import DESCRIPTION, SITE_NAME, TAGS, TITLE
from thresher.metadata.rules.page import CANONICAL_URL, IMAGE, LANGUAGE, LICENCE

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
