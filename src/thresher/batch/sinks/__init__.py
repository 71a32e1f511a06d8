"""Sinks: writers of the records of a batch, one module per format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from thresher.batch.model import Record
from thresher.batch.sinks.jsonl import write_jsonl
from thresher.batch.sinks.markdown import write_markdown
from thresher.batch.sinks.parquet import write_parquet
from thresher.writers.formats import FormatName

__all__ = ["SINKS", "Sink"]


@dataclass(frozen=True, slots=True)
class Sink:
    """One format of the output."""

    suffix: str
    """Suffix of the names of parts; empty for folders."""
    write: Callable[[Sequence[Record], Path], None]
    """Writes records to a new file or folder; OSError if it cannot."""
    contents: tuple[FormatName, ...] = ("text",)
    """Default content columns."""


SINKS: Final[Mapping[str, Sink]] = {
    "parquet": Sink(".parquet", write_parquet),
    "jsonl": Sink(".jsonl", partial(write_jsonl, codec=None)),
    "jsonl.gz": Sink(".jsonl.gz", partial(write_jsonl, codec="gzip")),
    "jsonl.zst": Sink(".jsonl.zst", partial(write_jsonl, codec="zstd")),
    "markdown": Sink("", write_markdown, contents=("markdown",)),
}
"""Format → its sink."""
