"""Extraction of one WARC archive, local or remote: the work of one task of an engine.

A remote archive is copied first. Reading it over the network would keep the connection open while
its pages are extracted, for a quarter of an hour, and start again whenever it breaks.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from thresher import __version__
from thresher.batch.columns import import_pyarrow
from thresher.batch.guard import Guard
from thresher.batch.model import Record, Settings
from thresher.batch.sources.base import Place, ReadOptions, SourceTally
from thresher.batch.sources.reading import read_source
from thresher.batch.table import extract_entries
from thresher.batch.work import describe_error

__all__ = ["extract_archive"]

_PIECE_BYTES: Final = 2**23


def extract_archive(path: str, settings: Settings, *, guard: Guard) -> Iterator[Record]:
    """Yield the record of every page in a WARC file, with its path as their source.

    ``path`` is a local file, or any URI supported by Arrow's file systems (``s3://`` or ``s3a://``,
    ``hdfs://``, ``gs://``, ``file://``). Each damaged place of the archive gives one error record
    after the others, whose id begins with the path; so does an archive that cannot be opened.
    Raises MissingExtraError without `fastwarc`.
    """
    arrow = import_pyarrow()
    tally = SourceTally()
    try:
        with _local_copy(path) as local:
            place = Place("warc", path, (str(local),), local.stat().st_size)
            read_options = ReadOptions(max_bytes=settings.limits.max_bytes)
            entries = (
                entry for _, entry in read_source(place, read_options, tally, lambda _: False)
            )
            for record in extract_entries(entries, settings, guard=guard):
                yield replace(record, source=path)
    except (OSError, arrow.ArrowException) as error:
        tally.damage.append(describe_error(error))
    for number, damage in enumerate([*tally.damage, *tally.unread], 1):
        yield Record(
            f"{path}#damage-{number}",
            source=path,
            method=settings.method,
            error=f"InputError: {damage}",
            version=__version__,
        )


@contextmanager
def _local_copy(path: str) -> Iterator[Path]:
    """Provide a local file for a path; a copy of a remote file is deleted at the end."""
    if "://" not in path:
        yield Path(path)
        return
    import_pyarrow()
    from pyarrow import fs  # noqa: PLC0415

    system, place = fs.FileSystem.from_uri(path.replace("s3a://", "s3://", 1))
    with TemporaryDirectory(prefix="thresher-") as folder:
        copy = Path(folder) / Path(place).name
        with system.open_input_stream(place, compression=None) as source, copy.open("wb") as file:
            shutil.copyfileobj(source, file, _PIECE_BYTES)
        yield copy
