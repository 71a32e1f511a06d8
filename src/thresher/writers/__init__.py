"""Writers of documents: one format a file, all with the same signature, one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from thresher.document import Writer
from thresher.writers import html, inplace, json, markdown, text

__all__ = ["FORMATS", "WRITERS"]

WRITERS: Final[Mapping[str, Writer]] = {
    "markdown": markdown.write,
    "text": text.write,
    "html": html.write,
    "json": json.write,
    "inplace": inplace.write,
}
"""Every writer by the name of its format."""

FORMATS: Final = tuple(WRITERS)
"""The names of all formats."""
