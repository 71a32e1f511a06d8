"""Writers of documents: one format a file, all with the same signature, one table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Final

from thresher.document import Document, LayOut, WriteOptions, Writer
from thresher.writers import markdown, text

__all__ = ["FORMATS", "LAYOUTS", "WRITERS"]


def _write(format: str, document: Document, options: WriteOptions) -> str:
    """Write by the module of a format's name, imported when it is first asked for."""
    written: str = import_module(f"thresher.writers.{format}").write(document, options)
    return written


WRITERS: Final[Mapping[str, Writer]] = {
    "markdown": markdown.write,
    "text": text.write,
    "html": partial(_write, "html"),
    "json": partial(_write, "json"),
    "inplace": partial(_write, "inplace"),
    "jsonl": partial(_write, "jsonl"),
    "csv": partial(_write, "csv"),
    "tei": partial(_write, "tei"),
    "thread": partial(_write, "thread"),
}
"""Every writer by the name of its format; those that most callers never use come late."""

LAYOUTS: Final[Mapping[str, LayOut]] = {
    "markdown": markdown.lay_out,
    "text": text.lay_out,
}
"""What finds where the output can be cut, for the formats that come in chunks."""

FORMATS: Final = tuple(WRITERS)
"""The names of all formats."""
