"""The manifest: what a batch reads, and which records are safely written. An SQLite file.

A part of the output counts from the moment its row is committed. That row, what is known of
duplicates, and the counts of the summary are one transaction, so a crash leaves them all as they
were after one part. What a crash leaves of files is not in the manifest, and is removed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from thresher.batch.sources.base import Place, SourceTally
from thresher.batch.spans import PositionSet
from thresher.errors import UsageError

__all__ = ["NAME", "Manifest", "OutputPart"]

NAME: Final = "manifest.sqlite"
"""Name of the file in the folder of the output."""
_VERSION: Final = "1"
_TABLES: Final = """
create table meta (key text primary key, value text not null) without rowid;
create table sources (
    number integer primary key, kind text not null, name text not null, paths text not null,
    n_byte integer not null, n_entry integer, skipped text, damage text
);
create table parts (
    name text primary key, n_record integer not null, n_byte integer not null,
    done text not null, stats text not null
);
"""
_PATIENCE_S: Final = 2.0
"""Seconds to wait for another process that has the manifest before it is called one."""


@dataclass(frozen=True, slots=True)
class OutputPart:
    """A file or folder of the output."""

    name: str
    n_record: int
    n_byte: int
    done: Mapping[int, Sequence[Sequence[int]]]
    """Number of the source → spans of positions whose records are in it."""
    stats: Mapping[str, Any]
    """What the summary wants to know of it."""


class Manifest:
    """The manifest in a folder, opened by one process at a time."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        # Every transaction is begun and ended in so many words.
        self.database = sqlite3.connect(self.path, timeout=_PATIENCE_S, isolation_level=None)
        with self._asked():
            self.database.execute("pragma synchronous = full")

    def is_begun(self) -> bool:
        """Tell whether it says what is read; else a crash came before that."""
        with self._asked():
            return self.database.execute("select 1 from sqlite_master").fetchone() is not None

    @staticmethod
    def is_in(folder: Path) -> bool:
        """Tell whether a folder has one."""
        return (folder / NAME).is_file()

    def create(self, places: Iterator[Place], settings: Mapping[str, str]) -> None:
        """Write down what is read and how; all of it or nothing.

        UsageError where another process has begun since it was looked at.
        """
        with self.transaction():
            if self.is_begun():
                raise UsageError(f"another process is at work on {self.path.parent}")
            for statement in _TABLES.split(";\n"):
                self.database.execute(statement)
            rows = (
                (number, at.kind, at.name, json.dumps(at.paths), at.n_byte)
                for number, at in enumerate(places)
            )
            insert = "insert into sources (number, kind, name, paths, n_byte)"
            self.database.executemany(f"{insert} values (?, ?, ?, ?, ?)", rows)
            pairs = {**settings, "version": _VERSION}.items()
            self.database.executemany("insert into meta values (?, ?)", pairs)

    def check(self, settings: Mapping[str, str]) -> None:
        """Raise UsageError where the batch was begun in another way than it is to go on."""
        with self._asked():
            begun = dict(self.database.execute("select key, value from meta"))
        for key, value in {**settings, "version": _VERSION}.items():
            if begun.get(key) != value:
                raise UsageError(
                    f"this batch was begun with {key} {begun.get(key)}, not {value}: go on with "
                    "that, or begin in another folder"
                )

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Do all that is done inside or nothing; UsageError where another process is at it."""
        self.begin()
        try:
            yield
        except BaseException:
            self.roll_back()
            raise
        self.commit()

    def begin(self) -> None:
        """Begin a transaction, which keeps every other process out."""
        with self._asked():
            self.database.execute("begin immediate")

    def commit(self) -> None:
        """End the transaction: what was done in it stays, whatever happens from now on."""
        self.database.execute("commit")

    def roll_back(self) -> None:
        """End the transaction as if it had not been, where one is open."""
        if self.database.in_transaction:
            self.database.execute("rollback")

    @contextmanager
    def _asked(self) -> Iterator[None]:
        """Say why the manifest cannot be had."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise UsageError(f"another process is at work on {self.path.parent}") from error
            raise
        except sqlite3.DatabaseError as error:
            raise UsageError(f"{self.path} is no manifest of a batch: {error}") from error

    def places(self) -> Iterator[tuple[int, Place]]:
        """Yield the sources in order with their numbers."""
        rows = self.database.execute(
            "select number, kind, name, paths, n_byte from sources order by number"
        ).fetchall()
        for number, kind, name, paths, n_byte in rows:
            yield number, Place(kind, name, tuple(json.loads(paths)), n_byte)

    def ended(self) -> dict[int, SourceTally]:
        """Return the accounts of the sources that were read to their ends."""
        rows = self.database.execute(
            "select number, n_entry, n_byte, skipped, damage from sources where n_entry notnull"
        )
        tallies = {}
        for number, n_entry, n_byte, skipped, damage in rows:
            tally = SourceTally(n_entry, n_byte, damage=json.loads(damage))
            tally.skipped.update(json.loads(skipped))
            tallies[number] = tally
        return tallies

    def end_source(self, number: int, tally: SourceTally) -> None:
        """Note that a source was read to its end."""
        self.database.execute(
            "update sources set n_entry = ?, skipped = ?, damage = ? where number = ?",
            (tally.n_entry, json.dumps(tally.skipped), json.dumps(tally.damage), number),
        )

    def add_part(self, part: OutputPart) -> None:
        """Note that a part is there."""
        self.database.execute(
            "insert into parts values (?, ?, ?, ?, ?)",
            (
                *(part.name, part.n_record, part.n_byte),
                *(json.dumps(part.done), json.dumps(part.stats)),
            ),
        )

    def parts(self) -> Iterator[OutputPart]:
        """Yield the parts that are there, in order."""
        rows = self.database.execute("select * from parts order by name").fetchall()
        for name, n_record, n_byte, done, stats in rows:
            spans = {int(number): pairs for number, pairs in json.loads(done).items()}
            yield OutputPart(name, n_record, n_byte, spans, json.loads(stats))

    def done(self) -> dict[int, PositionSet]:
        """Return the positions whose records are written, by the number of their source."""
        pairs: dict[int, list[tuple[int, int]]] = {}
        for part in self.parts():
            for number, spans in part.done.items():
                pairs.setdefault(number, []).extend((start, stop) for start, stop in spans)
        return {number: PositionSet(sorted(spans)) for number, spans in pairs.items()}

    def close(self) -> None:
        """Close it; what is not committed is gone."""
        self.roll_back()
        self.database.close()
