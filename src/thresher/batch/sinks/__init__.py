"""Sinks: writers of the records of a batch, one module per format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from thresher.batch.model import Record
from thresher.batch.sinks.jsonl import drop_jsonl_errors, write_jsonl
from thresher.batch.sinks.markdown import drop_markdown_errors, write_markdown
from thresher.batch.sinks.parquet import drop_parquet_errors, write_parquet
from thresher.writers.formats import FormatName

__all__ = ["SINKS", "Sink"]


@dataclass(frozen=True, slots=True)
class Sink:
    """One format of the output."""

    suffix: str
    """Suffix of the names of parts; empty for folders."""
    write: Callable[[Sequence[Record], Path], None]
    """Writes records to a new file or folder; OSError if it cannot."""
    drop_errors: Callable[[Path, Path], None]
    """Copies a part to a new file or folder, without the records that have an error."""
    contents: tuple[FormatName, ...] = ("text",)
    """Default content columns."""


SINKS: Final[Mapping[str, Sink]] = {
    "parquet": Sink(".parquet", write_parquet, drop_parquet_errors),
    **{
        name: Sink(
            f".{name}", partial(write_jsonl, codec=codec), partial(drop_jsonl_errors, codec=codec)
        )
        for name, codec in (("jsonl", None), ("jsonl.gz", "gzip"), ("jsonl.zst", "zstd"))
    },
    "markdown": Sink("", write_markdown, drop_markdown_errors, contents=("markdown",)),
}
"""Format → its sink."""
