"""HTML files, or archives of one page (MHTML, webarchive): one page each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from thresher.batch.model import Item
from thresher.batch.sources.base import Entry, IsDone, Place, ReadOptions, SourceTally, Unreadable
from thresher.errors import InputError
from thresher.page.archives import unpack_archive

__all__ = ["read_html"]


def read_html(
    place: Place, options: ReadOptions, tally: SourceTally, is_done: IsDone
) -> Iterator[tuple[int, Entry]]:
    """Read one page per file (a `thresher.batch.sources.base.Read`); its id is its path.

    A file that cannot be read has a position, but no entry; the tally has the reason.
    """
    for name in place.paths:
        position = tally.take()
        if is_done(position):
            continue
        try:
            with Path(name).open("rb") as file:
                body = file.read(options.max_bytes + 1)
        except OSError as error:
            tally.unread.append(f"{name}: {error.strerror or error}")
            continue
        tally.n_byte += len(body)
        try:
            archived = unpack_archive(body) if len(body) <= options.max_bytes else None
        except InputError as error:
            yield position, Unreadable(name, f"{type(error).__name__}: {error}")
            continue
        if archived is None:
            yield position, Item(name, body)
        else:
            yield position, Item(name, archived.html, archived.url, archived.charset)
