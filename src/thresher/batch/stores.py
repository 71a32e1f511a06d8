"""Local and remote files by path or URI, with Arrow's file systems."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from thresher.batch.model import import_pyarrow

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

PIECE_BYTES: Final = 2**23
"""Bytes copied at a time."""


def file_system(path: str) -> tuple[FileSystem, str]:
    """Return the file system of a path or URI, and the path in it."""
    import_pyarrow()
    from pyarrow import fs

    if "://" not in path:
        return fs.LocalFileSystem(), str(Path(path).absolute())
    system, place = fs.FileSystem.from_uri(path.replace("s3a://", "s3://", 1))
    return system, place


@contextmanager
def local_copy(path: str, spans: Sequence[tuple[int, int]] = ()) -> Iterator[Path]:
    """Provide a local file for a path; a copy of a remote file is deleted at the end.

    ``spans`` has the first byte and the end of each part to copy, in order; the whole without any.
    """
    if "://" not in path and not spans:
        yield Path(path)
        return
    system, place = file_system(path)
    with TemporaryDirectory(prefix="thresher-") as folder:
        copy = Path(folder) / Path(place).name
        with copy.open("wb") as file:
            if spans:
                with system.open_input_file(place) as whole:
                    for first, end in spans:
                        _copy_part(whole, file, first, end)
            else:
                with system.open_input_stream(place, compression=None) as source:
                    shutil.copyfileobj(source, file, PIECE_BYTES)
        yield copy


def _copy_part(source: Any, target: BinaryIO, first: int, end: int) -> None:
    """Copy the bytes from one place of a file to another, as far as they are there."""
    source.seek(first)
    left = end - first
    while left > 0 and (piece := source.read(min(left, PIECE_BYTES))):
        target.write(piece)
        left -= len(piece)
