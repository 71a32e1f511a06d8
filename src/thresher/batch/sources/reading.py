"""Reading of a source of any kind, up to where the system refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from thresher.batch.sources import SOURCES
from thresher.batch.sources.base import Entry, IsDone, Place, ReadOptions, SourceTally, Unreadable

__all__ = ["DAMAGE", "read_source"]

DAMAGE: Final = "#damage-"
"""Follows the name of a source, and precedes a number, in the id of a damaged place."""


def read_source(
    place: Place, options: ReadOptions, tally: SourceTally, is_done: IsDone
) -> Iterator[tuple[int, Entry]]:
    """Read a source by its kind (a `thresher.batch.sources.base.Read`), without any OSError.

    Where a file cannot be opened or read on, reading ends, and the tally has the reason among what
    is unread. Entries that the failure may have cut are not yielded. After a complete reading, each
    damaged place is an entry of its own, so that it has a record on every engine.
    """
    entries = SOURCES[place.kind].read(place, options, tally, is_done)
    while True:
        try:
            found = next(entries, None)
        except OSError as error:
            tally.failure = tally.failure or error
            found = None
        if tally.failure is not None:
            after = f" after {tally.n_entry:,} pages" if tally.n_entry else ""
            reason = tally.failure.strerror or str(tally.failure)
            tally.unread.append(f"{place.name}: {reason}{after}")
        if tally.failure is not None:
            return
        if found is None:
            break
        yield found
    for number, damage in enumerate(tally.damage, 1):
        position = tally.take()
        if not is_done(position):
            yield position, Unreadable(f"{place.name}{DAMAGE}{number}", f"InputError: {damage}")
