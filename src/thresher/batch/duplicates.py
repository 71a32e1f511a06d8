"""Marks of records that repeat earlier ones: duplicates, and blocks on many pages of a host.

Blocks are leftover menus, notices and subscription prompts. They are counted as pages arrive, so
the first pages of a host are compared with fewer pages than later ones.

Earlier pages and counts are in the database of the manifest, so they take no memory and survive a
crash like the records.
"""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import Final

import numpy as np

from thresher.batch.model import Record
from thresher.batch.signatures import (
    EXACT,
    NEAR,
    TextSignature,
    are_near,
    hash_64,
    make_signer,
    name_original,
)
from thresher.support.hosts import host_of

_MAX_CANDIDATES: Final = 64
"""Candidates per band, the first of many similar texts."""

_TABLES: Final = """
create table if not exists texts (
    number integer primary key, digest blob not null unique, signature blob,
    id text not null, source text
);
create table if not exists bands (key integer not null, number integer not null);
create index if not exists bands_by_key on bands (key);
"""


_Original = tuple[str | None, str]
"""The source and the id of an earlier record."""


class Duplicates:
    """Marks records as duplicates of earlier ones, within the transaction of a part."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._sign = make_signer()
        for statement in _TABLES.split(";\n"):
            database.execute(statement)

    def mark(self, record: Record) -> Record:
        """Return the record with the record it duplicates, if any.

        A page is compared only with pages that are not duplicates themselves, so all copies refer
        to the same one.
        """
        signature = self._sign(record.text or record.markdown or record.html)
        if signature is None:
            return record
        kind = EXACT
        original: _Original | None = self._database.execute(
            "select source, id from texts where digest = ?", (signature.digest,)
        ).fetchone()
        if original is None:
            kind, original = NEAR, self._find_near(signature)
        if original is None:
            self._learn(record, signature)
            return record
        name = name_original(*original, record.source)
        return replace(record, duplicate_of=name, duplicate=kind)

    def _find_near(self, signature: TextSignature) -> _Original | None:
        if signature.values is None:
            return None
        numbers = sorted(
            {
                number
                for key in signature.bands
                for (number,) in self._database.execute(
                    "select number from bands where key = ? limit ?", (key, _MAX_CANDIDATES)
                )
            }
        )
        for number in numbers:
            blob, source, id = self._database.execute(
                "select signature, source, id from texts where number = ?", (number,)
            ).fetchone()
            if are_near(np.frombuffer(blob, dtype="<u4"), signature.values):
                return source, id
        return None

    def _learn(self, record: Record, signature: TextSignature) -> None:
        blob = None if signature.values is None else signature.values.tobytes()
        number = self._database.execute(
            "insert into texts (digest, signature, id, source) values (?, ?, ?, ?)",
            (signature.digest, blob, record.id, record.source),
        ).lastrowid
        self._database.executemany(
            "insert into bands values (?, ?)", [(key, number) for key in signature.bands]
        )


_MIN_PAGES: Final = 10
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

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
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
        keys = [hash_64(f"{host}\n{block}".encode("utf-8", "replace")) for block in blocks]
        n_page = [self._database.execute(_COUNT, (key,)).fetchone()[0] for key in keys]
        return replace(record, n_repeated=sum(count >= _MIN_PAGES for count in n_page))
