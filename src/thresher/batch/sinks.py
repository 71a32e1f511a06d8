"""Sinks: writers of the records of a batch.

Parquet has a row for each record, JSON Lines an object with the name of the schema first, Markdown
a folder of files, with an index of all other columns.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Literal

from thresher.batch.model import COLUMNS, Record, arrow_table, import_pyarrow
from thresher.errors import MissingExtraError
from thresher.support.quoting import safe_stem
from thresher.writers import FORMATS
from thresher.writers.formats import FormatName


@dataclass(frozen=True, slots=True)
class _Sink:
    """One format of the output."""

    suffix: str
    """Suffix of the names of parts; empty for folders."""
    write: Callable[[Sequence[Record], Path], None]
    """Writes records to a new file or folder; OSError if it cannot."""
    drop_errors: Callable[[Path, Path], None]
    """Copies a part to a new file or folder, without the records that have an error."""
    contents: tuple[FormatName, ...] = ("text",)
    """Default content columns."""


_GZIP_LEVEL: Final = 6
_ZSTD_LEVEL: Final = 3
"""The defaults of the commands gzip and zstd."""
_VALUES: Final = attrgetter(*COLUMNS)


def _write_jsonl(records: Sequence[Record], path: Path, codec: str | None) -> None:
    with _open(path, codec) as file:
        for record in records:
            file.write(write_line(record))


def _drop_jsonl_errors(before: Path, path: Path, codec: str | None) -> None:
    with _open(before, codec, "rb") as lines, _open(path, codec) as file:
        for line in lines:
            if json.loads(line)["error"] is None:
                file.write(line)


def write_line(record: Record, more: Mapping[str, object] | None = None) -> bytes:
    """Serialise a record as a line of UTF-8: all columns in order, then those in ``more``."""
    row = dict(zip(COLUMNS, _VALUES(record), strict=True)) | dict(more or {})
    line = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    return line.encode("utf-8", "replace") + b"\n"


def _open(path: Path, codec: str | None, mode: Literal["rb", "wb"] = "wb") -> Any:
    """Open a file of lines, compressed unless the codec is None."""
    if codec is None:
        return path.open(mode)
    if codec == "gzip":
        return gzip.open(path, mode, _GZIP_LEVEL)
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtraError("writing .zst files", "batch") from error
    if mode == "rb":
        return io.BufferedReader(zstandard.open(path, mode))
    return zstandard.open(path, mode, cctx=zstandard.ZstdCompressor(level=_ZSTD_LEVEL))


INDEX: Final = "index.jsonl"
"""File with all records of a part, in which ``file`` replaces the Markdown."""
_SUFFIX: Final = FORMATS["markdown"].suffix


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


def _drop_markdown_errors(before: Path, path: Path) -> None:
    """Copy a folder without the errors in its index; they have no files."""
    shutil.copytree(before, path, ignore=lambda folder, names: {INDEX} & set(names))
    _drop_jsonl_errors(before / INDEX, path / INDEX, codec=None)


def _stem_of(record: Record) -> str:
    name = record.url or record.id
    steps = [step for step in re.split(r"[/\\?#]+", name) if step]
    return safe_stem(Path(steps[-1]).stem if steps else "")


COMPRESSION: Final = "zstd"
"""Supported by all current readers of Parquet; text is half as large as with snappy."""


def write_parquet(records: Sequence[Record], path: Path) -> None:
    """Write one file; OSError if it cannot, MissingExtraError without pyarrow."""
    import_pyarrow()
    from pyarrow import parquet

    parquet.write_table(arrow_table(records), path, compression=COMPRESSION)


def _drop_parquet_errors(before: Path, path: Path) -> None:
    from pyarrow import parquet

    table = parquet.ParquetFile(before).read()
    good = table.filter(table["error"].is_null())
    parquet.write_table(good, path, compression=COMPRESSION)


SINKS: Final[Mapping[str, _Sink]] = {
    "parquet": _Sink(".parquet", write_parquet, _drop_parquet_errors),
    **{
        name: _Sink(
            f".{name}", partial(_write_jsonl, codec=codec), partial(_drop_jsonl_errors, codec=codec)
        )
        for name, codec in (("jsonl", None), ("jsonl.gz", "gzip"), ("jsonl.zst", "zstd"))
    },
    "markdown": _Sink("", write_markdown, _drop_markdown_errors, contents=("markdown",)),
}
"""Format → its sink."""
