"""One WARC archive of a crawl to its records, wherever it is: what a task of an engine does.

An archive that is not at hand is copied first. Read over the network, it would be open for as long
as its pages take, a quarter of an hour, and begin anew where the connection breaks.
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
from thresher.batch.sources.warc import read_warc
from thresher.batch.table import extract_entries
from thresher.batch.work import describe_error

__all__ = ["extract_archive"]

_PIECE_BYTES: Final = 2**23


def extract_archive(path: str, settings: Settings, *, guard: Guard) -> Iterator[Record]:
    """Yield the record of every page in a WARC file, which is their source.

    ``path`` is that of a local file, or any address that Arrow's file systems know (``s3://``,
    which may be written ``s3a://``; ``hdfs://``, ``gs://``, ``file://``). What is damaged in the
    archive is one error record for each place, behind the others, with the path as the beginning of
    its id; so is an archive that cannot be opened. Raises MissingExtraError without `fastwarc`.
    """
    arrow = import_pyarrow()
    tally = SourceTally()
    try:
        with _at_hand(path) as local:
            place = Place("warc", path, (str(local),), local.stat().st_size)
            read_options = ReadOptions(max_bytes=settings.limits.max_bytes)
            entries = (entry for _, entry in read_warc(place, read_options, tally, lambda _: False))
            for record in extract_entries(entries, settings, guard=guard):
                yield replace(record, source=path)
    except (OSError, arrow.ArrowException) as error:
        tally.damage.append(describe_error(error))
    for number, damage in enumerate(tally.damage, 1):
        yield Record(
            f"{path}#damage-{number}",
            source=path,
            method=settings.method,
            error=f"InputError: {damage}",
            version=__version__,
        )


@contextmanager
def _at_hand(path: str) -> Iterator[Path]:
    """Give the local file of a path, a copy where there is none; the copy goes in the end."""
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
