"""Blocks repeated on many pages of a host: leftover menus, notices and subscription prompts.

They are counted as pages arrive, so the first pages of a host are compared with fewer pages than
later ones; the counts are in the database of the manifest.
"""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from hashlib import blake2b
from typing import Final

from thresher.batch.model import Record
from thresher.support.hosts import host_of

__all__ = ["MIN_PAGES", "RepeatedBlocks"]

MIN_PAGES: Final = 10
"""Pages of a host on which a block must occur to count as repeated."""

_TABLE: Final = """
create table if not exists repeats (key integer primary key, n_page integer not null)
"""
_COUNT: Final = """
insert into repeats values (?, 1) on conflict (key) do update set n_page = n_page + 1
returning n_page
"""


class RepeatedBlocks:
    """Counts blocks by host, within the transaction of a part."""

    def __init__(self, database: sqlite3.Connection, min_pages: int = MIN_PAGES) -> None:
        self._database = database
        self._min_pages = min_pages
        database.execute(_TABLE)

    def mark(self, record: Record) -> Record:
        """Return the record with the number of its blocks that are on many pages of its host.

        A block is the text between line breaks, with white space normalised. Without text or URL
        the record is unchanged.
        """
        text = record.text or record.markdown or record.html
        host = host_of(record.url)
        if not text or not host:
            return record
        blocks = {" ".join(line.split()) for line in text.splitlines()} - {""}
        n_page = [
            self._database.execute(_COUNT, (_key(host, block),)).fetchone()[0] for block in blocks
        ]
        return replace(record, n_repeated=sum(count >= self._min_pages for count in n_page))


def _key(host: str, block: str) -> int:
    text = f"{host}\n{block}".encode("utf-8", "replace")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little", signed=True)
