"""Helper that reads a source."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from thresher.batch.sources import SOURCES
from thresher.batch.sources.base import Entry, Place, ReadOptions, SourceTally


def read(
    kind: str, path: Path, done: Collection[int] = (), reading: ReadOptions | None = None
) -> tuple[dict[int, Entry], SourceTally]:
    """Return the entries of a file by position, and its tally."""
    tally = SourceTally()
    place = Place(kind, path.name, (str(path),), path.stat().st_size)
    entries = SOURCES[kind].read(place, reading or ReadOptions(), tally, done.__contains__)
    return dict(entries), tally
