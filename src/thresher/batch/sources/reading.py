"""Reading of a source of any kind, up to where the system refuses."""

from __future__ import annotations

from collections.abc import Iterator

from thresher.batch.sources import SOURCES
from thresher.batch.sources.base import Entry, IsDone, Place, ReadOptions, SourceTally

__all__ = ["read_source"]


def read_source(
    place: Place, options: ReadOptions, tally: SourceTally, is_done: IsDone
) -> Iterator[tuple[int, Entry]]:
    """Read a source by its kind (a `thresher.batch.sources.base.Read`), without any OSError.

    Where a file cannot be opened or read on, reading ends, and the tally has the reason among what
    is unread. Entries that the failure may have cut are not yielded.
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
        if found is None or tally.failure is not None:
            return
        yield found
