"""A folder of Markdown files, with an index of all other columns."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from thresher.batch.model import Record
from thresher.batch.sinks.jsonl import drop_jsonl_errors, write_line
from thresher.writers import FORMATS

__all__ = ["INDEX", "drop_markdown_errors", "write_markdown"]

INDEX: Final = "index.jsonl"
"""File with all records of a part, in which ``file`` replaces the Markdown."""
_SUFFIX: Final = FORMATS["markdown"].suffix
_UNSAFE: Final = re.compile(r"[^\w.-]+")
_MAX_STEM_CHARS: Final = 60
"""Characters. File names are limited to 255 bytes: up to four per character, after a number."""


def write_markdown(records: Sequence[Record], path: Path) -> None:
    """Write the folder: one numbered file per record with content, and the index.

    A file is named after the URL or id of its page; the number makes names unique.
    """
    path.mkdir()
    with (path / INDEX).open("wb") as index:
        for number, record in enumerate(records):
            name = None
            if record.markdown:
                name = f"{number:05}-{_stem_of(record)}{_SUFFIX}"
                ended = record.markdown.rstrip("\n") + "\n"
                (path / name).write_bytes(ended.encode("utf-8", "replace"))
            index.write(write_line(replace(record, markdown=None), {"file": name}))


def drop_markdown_errors(before: Path, path: Path) -> None:
    """Copy a folder without the errors in its index; they have no files."""
    shutil.copytree(before, path, ignore=lambda folder, names: {INDEX} & set(names))
    drop_jsonl_errors(before / INDEX, path / INDEX, codec=None)


def _stem_of(record: Record) -> str:
    name = record.url or record.id
    steps = [step for step in re.split(r"[/\\?#]+", name) if step]
    stem = _UNSAFE.sub("-", Path(steps[-1]).stem if steps else "").strip("-.")
    return stem[:_MAX_STEM_CHARS] or "page"
