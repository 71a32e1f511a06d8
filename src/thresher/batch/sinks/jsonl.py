"""JSON Lines: one object per record, with the name of the schema first."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from typing import BinaryIO, Final, cast

from thresher.batch.columns import COLUMNS
from thresher.batch.model import Record
from thresher.errors import MissingExtraError

__all__ = ["drop_jsonl_errors", "write_jsonl", "write_line"]

_GZIP_LEVEL: Final = 6
_ZSTD_LEVEL: Final = 3
"""The defaults of the commands gzip and zstd."""
_VALUES: Final = attrgetter(*COLUMNS)


def write_jsonl(records: Sequence[Record], path: Path, codec: str | None) -> None:
    """Write one file, plain or compressed with gzip or zstd; OSError if it cannot."""
    with _open(path, codec) as file:
        for record in records:
            file.write(write_line(record))


def drop_jsonl_errors(before: Path, path: Path, codec: str | None) -> None:
    """Copy a file without the lines that have an error."""
    with _open(before, codec, "rb") as lines, _open(path, codec) as file:
        for line in lines:
            if json.loads(line)["error"] is None:
                file.write(line)


def write_line(record: Record, more: Mapping[str, object] | None = None) -> bytes:
    """Serialise a record as a line of UTF-8: all columns in order, then those in ``more``."""
    row = dict(zip(COLUMNS, _VALUES(record), strict=True)) | dict(more or {})
    line = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    return line.encode("utf-8", "replace") + b"\n"


@contextmanager
def _open(path: Path, codec: str | None, mode: str = "wb") -> Iterator[BinaryIO]:
    match codec:
        case None:
            with path.open(mode) as file:
                yield cast("BinaryIO", file)
        case "gzip":
            with gzip.open(path, mode, _GZIP_LEVEL) as zipped:
                yield cast("BinaryIO", zipped)
        case _:
            try:
                import zstandard
            except ImportError as error:
                raise MissingExtraError("writing .zst files", "batch") from error
            packer = zstandard.ZstdCompressor(level=_ZSTD_LEVEL)
            with zstandard.open(path, mode, cctx=packer if mode == "wb" else None) as zipped_too:
                lines = io.BufferedReader(zipped_too) if mode == "rb" else zipped_too
                yield cast("BinaryIO", lines)
