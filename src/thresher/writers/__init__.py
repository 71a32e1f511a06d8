"""Writers of documents: one format a file, all with the same signature, one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from thresher.document import LayOut, Writer
from thresher.writers import csv, html, inplace, json, jsonl, markdown, tei, text, thread

__all__ = ["FORMATS", "LAYOUTS", "WRITERS"]

WRITERS: Final[Mapping[str, Writer]] = {
    "markdown": markdown.write,
    "text": text.write,
    "html": html.write,
    "json": json.write,
    "inplace": inplace.write,
    "jsonl": jsonl.write,
    "csv": csv.write,
    "tei": tei.write,
    "thread": thread.write,
}
"""Every writer by the name of its format."""

LAYOUTS: Final[Mapping[str, LayOut]] = {
    "markdown": markdown.lay_out,
    "text": text.lay_out,
}
"""What finds where the output can be cut, for the formats that come in chunks."""

FORMATS: Final = tuple(WRITERS)
"""The names of all formats."""
